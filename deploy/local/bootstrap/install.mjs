import { existsSync, readFileSync } from 'node:fs';
import { BootstrapError } from './bootstrap-error.mjs';
import { hasProjectNode, inRepository } from './paths.mjs';
import { runQuietly } from './run-quietly.mjs';

/** Runs `npm ci` when what is installed is not what package-lock.json says. */
export async function installDependencies(sayProgress) {
  if (isInstalled() && hasProjectNode()) return;
  sayProgress('installing dependencies (npm ci)');
  // The npm that runs us, if it does: it may not be the first one on the PATH.
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const { ok, output } = await runQuietly([...npm, 'ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']);
  if (!ok) throw new BootstrapError(`${withoutUsage(output)}\nnpm ci failed; its output is above`);
  if (!hasProjectNode()) throw new BootstrapError('npm ci did not install the package "node": allow its install script and run again');
}

/** npm adds a page about its own options to some errors. */
const withoutUsage = (output) => output.split(/^npm error Usage:$/m)[0].trim();

/** npm writes what it installed into node_modules/.package-lock.json, as its last act. */
function isInstalled() {
  const installed = readPackages(inRepository('node_modules', '.package-lock.json'));
  if (installed === undefined) return false;
  const wanted = readPackages(inRepository('package-lock.json'));
  return Object.entries(wanted).every(([path, entry]) => path === '' || fits(entry, installed[path]));
}

/** Optional packages of other platforms are in the lock, but not installed. */
function fits(wanted, installed) {
  if (installed === undefined) return wanted.optional === true;
  return wanted.version === installed.version && wanted.integrity === installed.integrity;
}

const readPackages = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined);
