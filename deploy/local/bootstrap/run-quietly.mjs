import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { projectEnv, repository } from './paths.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a step whose output matters only when it fails. Answers { ok, output }. */
export function runQuietly([command, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: repository, env: projectEnv(), stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    const endBoth = (signal) => child.kill(signal) && process.exit(128 + constants.signals[signal]);
    for (const signal of SIGNALS) process.once(signal, endBoth);
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code) => {
      for (const signal of SIGNALS) process.off(signal, endBoth);
      resolve({ ok: code === 0, output: Buffer.concat(output).toString().trim() });
    });
  });
}
