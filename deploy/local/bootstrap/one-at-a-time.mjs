import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { inRepository } from './paths.mjs';

const PAUSE_MS = 200;
const lock = inRepository('.shopflow', 'installing');

/** Two commands in one clone must not install or build over each other: the second waits for the first. */
export async function oneAtATime(work) {
  mkdirSync(inRepository('.shopflow'), { recursive: true });
  while (!take()) await delay(PAUSE_MS);
  const giveBack = () => rmSync(lock, { force: true });
  process.once('exit', giveBack);
  try {
    return await work();
  } finally {
    giveBack();
    process.off('exit', giveBack);
  }
}

function take() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!holderLives()) rmSync(lock, { force: true }); // it was killed
    return false;
  }
}

function holderLives() {
  try {
    return process.kill(Number(readFileSync(lock, 'utf8')) || process.pid, 0);
  } catch (error) {
    return error.code === 'EPERM'; // it belongs to somebody else, but it lives
  }
}
