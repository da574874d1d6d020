import { BootstrapError } from './bootstrap-error.mjs';
import { inRepository, projectNode } from './paths.mjs';
import { runQuietly } from './run-quietly.mjs';

/** The compiler itself finds out, by content, what has changed since the last build. */
export async function build(sayProgress) {
  const late = setTimeout(sayProgress, 2_000, 'building (tsc -b)');
  const { ok, output } = await runQuietly([projectNode, inRepository('node_modules', 'typescript', 'bin', 'tsc'), '-b']);
  clearTimeout(late);
  if (!ok) throw new BootstrapError(`${output}\nthe build failed; what the compiler said is above`);
}
