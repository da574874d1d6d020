import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../..', import.meta.url));
export const inRepository = (...parts) => join(repository, ...parts);

/** The Node that the project pins as a dependency, whatever the machine has. */
export const projectNode = inRepository('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
export const hasProjectNode = () => existsSync(projectNode);

/** With the project's tools and Node before the machine's. */
export const projectEnv = () => ({
  ...process.env,
  PATH: [inRepository('node_modules', '.bin'), process.env.PATH].join(delimiter),
});
