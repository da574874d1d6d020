import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

/** Whole or not at all: a lock never stands there without its holder, who might be killed before writing it down. */
function take() {
  const draft = `${lock}.${process.pid}`;
  writeFileSync(draft, String(process.pid));
  try {
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!holderLives(lock)) removeStale(); // it was killed
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Moved aside before it is deleted: should another command have replaced it meanwhile, what was moved is its lock and goes back. */
function removeStale() {
  const aside = `${lock}.stale.${process.pid}`;
  try {
    renameSync(lock, aside);
    if (holderLives(aside)) linkSync(aside, lock);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(error.code)) throw error; // the other has moved it already, or has taken the place
  } finally {
    rmSync(aside, { force: true });
  }
}

function holderLives(file) {
  try {
    return process.kill(Number(readFileSync(file, 'utf8')), 0);
  } catch (error) {
    return error.code === 'EPERM'; // it belongs to somebody else, but it lives
  }
}
