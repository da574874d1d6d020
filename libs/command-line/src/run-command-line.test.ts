import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';

/** A command in a process of its own, read from its source. */
const run = (body: string, tail = ''): Promise<{ code: number; out: string; err: string }> => {
  const url = new URL('./index.ts', import.meta.url).href;
  const script = `import { runCommandLine, UsageError } from ${JSON.stringify(url)}; await runCommandLine('dlq', async (args, terminal) => { ${body} });`;
  const resolver = `import { registerHooks } from 'node:module';
    registerHooks({ resolve: (name, context, next) => next(/^\\.\\/.*\\.js$/.test(name) && context.parentURL?.endsWith('.ts') ? name.replace(/\\.js$/, '.ts') : name, context) });`;
  const command = `node --no-warnings --import ${JSON.stringify(`data:text/javascript,${encodeURIComponent(resolver)}`)} --input-type=module -e "$SCRIPT"${tail}`;
  return new Promise((resolve) => {
    execFile('bash', ['-o', 'pipefail', '-c', command], { env: { ...process.env, SCRIPT: script } }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
};

it.each([
  ['await terminal.print("a"); return { lines: ["b"], ok: true };', { code: 0, out: 'a\nb\n', err: '' }],
  ['terminal.note("busy"); return { lines: ["no"], ok: false };', { code: 1, out: '', err: 'busy\nno\n' }],
  ['throw new UsageError("--limit has no value");', { code: 2, out: '', err: 'dlq: --limit has no value\n' }],
  [
    'throw new AggregateError([new Error("connect ECONNREFUSED ::1:5432")]);',
    { code: 1, out: '', err: 'dlq: connect ECONNREFUSED ::1:5432\n' },
  ],
])('says how it ended: %s', async (body, outcome) => {
  expect(await run(body)).toEqual(outcome);
});

it('ends quietly when its reader wants no more', async () => {
  const body = 'for (let n = 0; n < 200_000; n++) await terminal.print("line " + n); return { lines: [], ok: true };';
  expect(await run(body, ' | head -n 1')).toEqual({ code: 0, out: 'line 0\n', err: '' });
});
