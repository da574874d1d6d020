// npm run deps:check. Dependencies point one way: services → libs → contracts.
// tests/src/dependency-rules.test.ts breaks each rule once to see it fire.
import { readdirSync, readFileSync } from 'node:fs';

const PACKAGE = '^(contracts|libs/[^/]+|services/[^/]+|deploy/[^/]+|tests)/';
/** What runs in tests alone and is not built: `x.fixture.ts` or the folder `test-support` is what test files of a package have in common. */
const TEST_FILE = '(\\.(test|test-d|fixture)\\.ts$|/src/test-support/)';
const TESTING = '^libs/(testing|servers)/';
const KAFKA_CLIENT = '(^|/)node_modules/(kafkajs|@platformatic/kafka)/';
/** A name that takes in everything says nothing. */
const DUMPING_GROUND = '(^|/)(commons?|utils?|utilities|helpers?|shared|misc)(/|\\.[^/]*$)';

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** Workspace packages resolve to their sources, so what a package.json lists is compared here, package by package. */
function undeclaredWorkspaceDependencies() {
  const packages = workspaceFolders().map((folder) => ({ folder, manifest: JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) }));
  const folderOf = new Map(packages.map(({ folder, manifest }) => [manifest.name, folder]));
  return packages.map(({ folder, manifest }) => {
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).map((name) => folderOf.get(name));
    const allowed = [folder, ...declared.filter((path) => path !== undefined)].map((path) => `^${path}/`);
    return rule(
      'undeclared-dependency',
      `${manifest.name} imports a workspace package that its package.json does not list.`,
      { path: `^${folder}/`, pathNot: TEST_FILE },
      { path: PACKAGE, pathNot: allowed },
    );
  });
}

function workspaceFolders() {
  const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8'));
  const folders = workspaces.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return readdirSync(parent).map((name) => `${parent}/${name}`);
  });
  return folders.filter((folder) => readdirSync(folder).includes('package.json'));
}

export default {
  forbidden: [
    rule(
      'service-imports-service',
      'Services speak through events and HTTP. What two of them need is a lib or a contract.',
      { path: '^services/([^/]+)/' },
      { path: '^services/', pathNot: '^services/$1/' },
    ),
    rule(
      'lib-imports-service',
      'Dependencies point one way: services → libs → contracts.',
      { path: '^libs/' },
      { path: '^(services|deploy|tests)/' },
    ),
    rule(
      'contracts-import-inward',
      'Contracts depend on nothing of ours.',
      { path: '^contracts/' },
      { path: '^(libs|services|deploy|tests)/' },
    ),
    rule(
      'contracts-stay-pure',
      'Other teams import contracts: they bring TypeBox and nothing else, least of all Nest, a database or a Kafka client.',
      { path: '^contracts/', pathNot: TEST_FILE },
      { path: '(^|/)node_modules/', pathNot: '(^|/)node_modules/typebox/' },
    ),
    rule(
      'kafka-client-outside-libs-kafka',
      'Kafka clients, and their types, stay behind libs/kafka (docs/adr/0002-two-kafka-clients.md).',
      { pathNot: '^libs/kafka/' },
      { path: KAFKA_CLIENT },
    ),
    rule(
      'testing-in-production',
      'libs/testing and libs/servers serve tests and the local platform.',
      { pathNot: [TEST_FILE, TESTING, '^(deploy|tests)/'] },
      { path: TESTING },
    ),
    rule(
      'no-internals-of-another-package',
      'Import another package by its name; a relative path reaches past its entry points.',
      { path: PACKAGE },
      { path: PACKAGE, pathNot: '^$1/', dependencyTypes: ['local'] },
    ),
    rule(
      'no-cycle',
      'Modules that need each other are one module, or one of them holds something that belongs elsewhere.',
      {},
      { circular: true },
    ),
    rule('unresolvable', 'Neither installed nor an entry point (`exports`) of its package.', {}, { couldNotResolve: true }),
    rule(
      'undeclared-dependency',
      'A package lists what it imports in its own package.json. Tests may use what the root provides.',
      { path: PACKAGE, pathNot: TEST_FILE },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    ...undeclaredWorkspaceDependencies(),
    rule(
      'development-dependency-in-production',
      'What runs in production is a dependency, not a devDependency. Types vanish before that.',
      { path: '^(contracts|libs|services)/', pathNot: [TEST_FILE, TESTING] },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    rule('dumping-ground', 'Name files and folders for what they do.', { path: DUMPING_GROUND }, {}),
    rule('dumping-ground', 'Name files and folders for what they do.', {}, { path: DUMPING_GROUND, pathNot: 'node_modules' }),
    rule('dumping-ground', 'Name files and folders for what they do.', { path: DUMPING_GROUND, orphan: true }, {}),
  ],
  options: {
    exclude: '(^|/)dist/',
    doNotFollow: 'node_modules',
    // Imports of types count: they tie packages together as well.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['shopflow:source', 'import', 'types', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.d.ts', '.json'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
