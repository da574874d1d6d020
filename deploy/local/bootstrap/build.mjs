import { BootstrapError } from './bootstrap-error.mjs';
import { inRepository, projectNode } from './paths.mjs';
import { runQuietly } from './run-quietly.mjs';

/**
 * Compiles what has changed since the last time; the compiler finds that out by content. Types are not checked: that takes three times
 * as long as the rest, nothing that runs depends on it, and `npm run build` and `npm run typecheck` do it.
 */
export async function build(sayProgress) {
  const late = setTimeout(sayProgress, 2_000, 'building (tsc -b --noCheck)');
  const tsc = inRepository('node_modules', 'typescript', 'bin', 'tsc');
  const { ok, output } = await runQuietly([projectNode, tsc, '-b', '--noCheck']);
  clearTimeout(late);
  if (!ok) throw new BootstrapError(`${output}\nthe build failed; what the compiler said is above`);
}
