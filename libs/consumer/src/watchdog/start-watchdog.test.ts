import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';

const LIMIT_MS = 600;
let end = () => {};
afterEach(() => end());

/** A process of its own with a watchdog, which then does `then`. It runs the sources, whose imports name what they become. */
function watched(then: string) {
  const script = `
    const { registerHooks } = await import('node:module');
    registerHooks({ resolve: (name, context, next) => next(name.replace(/^(\\.\\/.*)\\.js$/, '$1.ts'), context) });
    const { startWatchdog } = await import('${new URL('./start-watchdog.ts', import.meta.url).href}');
    const watchdog = startWatchdog({ limitMs: ${LIMIT_MS}, name: 'audit', onError: (error) => { throw error; } });
    const block = (ms) => { const until = Date.now() + ms; while (Date.now() < until); };
    ${then}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  end = () => void child.kill('SIGKILL');
  const ended = once(child, 'exit').then(([code, signal]) => ({ code: code as number | null, signal: signal as string | null }));
  return { child, ended, errors: text(child.stderr) };
}

describe('a watched process', () => {
  it('is ended when its event loop is blocked, with a line that says why and what to do', async () => {
    const { ended, errors } = watched('setTimeout(() => { for (;;); }, 50);');
    expect(await ended).toEqual({ code: null, signal: 'SIGKILL' });
    const line = JSON.parse(await errors) as Record<string, unknown>;
    expect(line).toMatchObject({ level: 'fatal', service: 'audit', blockedMs: LIMIT_MS });
    expect(line['msg']).toMatch(/^audit: the event loop has been blocked for 600 ms.*dead letter.*handler/);
  });

  it('may be busy for longer than the limit, as long as it comes back in time, and is not kept alive', async () => {
    const { ended, errors } = watched(`for (let i = 0; i < 6; i++) { block(${LIMIT_MS / 4}); await new Promise(setImmediate); }`);
    expect([await ended, await errors]).toEqual([{ code: 0, signal: null }, '']);
  });

  it('is not ended by a watchdog that was stopped', async () => {
    const { ended, errors } = watched(`watchdog.stop(); block(${LIMIT_MS * 1.5});`);
    expect([await ended, await errors]).toEqual([{ code: 0, signal: null }, '']);
  });

  it('is left alone after having been stopped for longer than the limit', async () => {
    const { child, ended, errors } = watched(`
      const alive = setInterval(() => {}, 1_000);
      process.once('SIGUSR2', () => setTimeout(() => { clearInterval(alive); process.exitCode = 7; }, ${LIMIT_MS / 2}));
      process.stdout.write('ready');`);
    await once(child.stdout, 'data');
    child.kill('SIGSTOP');
    await delay(LIMIT_MS * 2); // being stopped for so long is what this is about
    child.kill('SIGCONT');
    child.kill('SIGUSR2');
    expect([await ended, await errors]).toEqual([{ code: 7, signal: null }, '']);
  });
});
