import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BootstrapError } from './bootstrap-error.mjs';
import { inRepository } from './paths.mjs';

/** Sources stand in `src` of each package, and come out in its `dist`. Tests are run from their sources. */
const PACKAGES = ['contracts', 'libs', 'services', 'deploy', 'tests'];
const isSource = (name) => name.endsWith('.ts') && !/\.(test|test-d|d)\.ts$/.test(name);

/**
 * Turns what has changed since the last time into JavaScript, file by file, as the compiler would, but without checking or declaring
 * types: that takes ten times as long, nothing that runs depends on it, and `npm run build` and `npm run typecheck` do it.
 */
export async function build(sayProgress) {
  const changed = sources().filter(({ file, output }) => changedAt(file) >= changedAt(output));
  if (changed.length === 0) return;
  sayProgress(`building (${changed.length} files)`);
  const { default: ts } = await import(pathToFileURL(inRepository('node_modules', 'typescript', 'lib', 'typescript.js')).href);
  const compilerOptions = {
    ...optionsOf(ts),
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    composite: false,
    declaration: false,
  };
  for (const source of changed) transpile(ts, compilerOptions, source);
}

function sources() {
  const folders = PACKAGES.flatMap((name) => [name, ...readdirSync(inRepository(name)).map((inner) => join(name, inner))]);
  return folders
    .map((folder) => inRepository(folder))
    .filter((folder) => existsSync(join(folder, 'src')))
    .flatMap(sourcesOf);
}

const sourcesOf = (folder) =>
  readdirSync(join(folder, 'src'), { recursive: true })
    .filter(isSource)
    .map((name) => ({ file: join(folder, 'src', name), output: join(folder, 'dist', name.replace(/\.ts$/, '.js')) }));

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -1;

function optionsOf(ts) {
  const config = inRepository('tsconfig.base.json');
  return ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config, ts.sys, inRepository()).options;
}

function transpile(ts, compilerOptions, { file, output }) {
  const { outputText, sourceMapText, diagnostics } = ts.transpileModule(readFileSync(file, 'utf8'), {
    compilerOptions,
    fileName: file,
    reportDiagnostics: true,
  });
  if (diagnostics.length > 0) throw new BootstrapError(`${ts.formatDiagnostics(diagnostics, ts.createCompilerHost({}))}the build failed`);
  mkdirSync(dirname(output), { recursive: true });
  if (sourceMapText !== undefined) writeFileSync(`${output}.map`, sourceMapText);
  writeFileSync(output, outputText);
}
