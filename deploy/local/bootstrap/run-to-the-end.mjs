import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { projectEnv, projectNode, repository } from './paths.mjs';
import { typedAt } from './progress.mjs';

const ORPHAN_CHECK_MS = 500;

/**
 * Runs a script of the project with our input, output and signals, and answers its exit code. The script also has a channel to us:
 * when that closes we are gone, even by kill -9, and it ends too.
 */
export function runToTheEnd(script) {
  const env = { ...projectEnv(), SHOPFLOW_TYPED_AT: String(typedAt) };
  const child = spawn(projectNode, script, { cwd: repository, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  // Ctrl-C reaches the child from the terminal as well. It has to tidy up, so we wait; hearing it twice does no harm.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  endWithNpm(() => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

/** When the npm that runs us is killed, nobody is left who could press Ctrl-C. */
function endWithNpm(end) {
  if (!process.env.npm_lifecycle_event) return;
  const before = ancestors();
  setInterval(() => ancestors() !== before && end(), ORPHAN_CHECK_MS).unref();
}

/** Our parent, and npm above it where npm started a shell that started us. Changes when one of them is gone. */
function ancestors() {
  const stat = readIfThere(`/proc/${process.ppid}/stat`);
  const [, command, , grandparent] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(stat) ?? [];
  return /^(sh|dash|bash)$/.test(command) ? `${process.ppid} ${grandparent}` : String(process.ppid);
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // no /proc on this system: our parent alone has to do
  }
}
