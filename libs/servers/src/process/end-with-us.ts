import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

let messages: Writable | undefined;

/**
 * Sees to it that the process `pid` ends (by `signal`, later by SIGKILL) when this process ends in whatever way.
 *
 * @param last when those that are not `last` are gone
 */
export function endWithUs(pid: number, signal: 'SIGTERM' | 'SIGINT', last: boolean): void {
  messages ??= startWatchdog();
  messages.write(`watch ${pid} ${signal}${last ? ' last' : ''}\n`);
}

/** The process `pid` has ended; its number may soon be another's. */
export function hasEnded(pid: number): void {
  messages?.write(`forget ${pid}\n`);
}

/** In a session of its own, so that what ends our process group leaves it alive to do its work. */
function startWatchdog(): Writable {
  const script = fileURLToPath(new URL(`./watchdog${extname(import.meta.url)}`, import.meta.url));
  const watchdog = spawn(process.execPath, [script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  watchdog.unref();
  (watchdog.stdin as Writable & { unref(): void }).unref();
  watchdog.stdin.on('error', () => (messages = undefined)); // somebody ended the watchdog; the next start brings another
  return watchdog.stdin;
}
