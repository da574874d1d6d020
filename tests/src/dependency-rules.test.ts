import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// A repository in small in which one file breaks one rule, so that a rule which stopped working is noticed.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const packages: Record<string, readonly string[]> = {
  contracts: ['typebox'],
  'libs/kafka': ['kafkajs', '@shopflow/contracts'],
  'libs/testing': ['@shopflow/kafka'],
  'libs/servers': [],
  'services/orders': ['@shopflow/kafka', '@shopflow/contracts', '@shopflow/audit', '@shopflow/testing', 'pg'],
  'services/audit': [],
  'deploy/local': ['@shopflow/servers'],
  tests: ['@shopflow/testing'],
};

/** File → what it holds and the rules that it breaks. */
const broken: Record<string, readonly [source: string, ...rules: string[]]> = {
  'services/orders/src/other-service.ts': [`import '@shopflow/audit';`, 'service-imports-service'],
  'services/orders/src/other-service-by-path.ts': [
    `import '../../audit/src/index.js';`,
    'no-internals-of-another-package',
    'service-imports-service',
  ],
  'libs/kafka/src/service.ts': [`import '@shopflow/audit';`, 'lib-imports-service', 'undeclared-dependency'],
  'contracts/src/lib.ts': [`import type { } from '@shopflow/kafka';`, 'contracts-import-inward', 'undeclared-dependency'],
  'contracts/src/database.ts': [`import 'pg';`, 'contracts-stay-pure', 'undeclared-dependency'],
  'contracts/src/client.test.ts': [`import 'kafkajs';`, 'kafka-client-outside-libs-kafka'],
  'services/orders/src/client.ts': [`import 'kafkajs';`, 'kafka-client-outside-libs-kafka', 'undeclared-dependency'],
  'services/orders/src/client-type.ts': [
    `import type { Kafka } from 'kafkajs'; export type K = Kafka;`,
    'kafka-client-outside-libs-kafka',
    'undeclared-dependency',
  ],
  'services/orders/src/client-inline-type.ts': [
    `export type K = import('@platformatic/kafka').Producer;`,
    'kafka-client-outside-libs-kafka',
    'undeclared-dependency',
  ],
  'services/orders/src/test-library.ts': [`import '@shopflow/testing';`, 'testing-in-production'],
  'services/orders/src/internals.ts': [`import '../../../libs/kafka/src/index.js';`, 'no-internals-of-another-package'],
  'services/orders/src/deep.ts': [`import '@shopflow/kafka/src/index.js';`, 'unresolvable'],
  'services/orders/src/gone.ts': [`import './gone-long-ago.js';`, 'unresolvable'],
  'services/orders/src/back.ts': [`import type { There } from './there.js'; export type B = There;`, 'no-cycle'],
  'services/orders/src/undeclared.ts': [`import 'typebox';`, 'undeclared-dependency'],
  'services/audit/src/undeclared-lib.ts': [`import '@shopflow/kafka';`, 'undeclared-dependency'],
  'services/orders/src/development.ts': [`import 'vitest';`, 'development-dependency-in-production'],
  'services/orders/src/utils.ts': ['export {};', 'dumping-ground'],
  'services/orders/src/common/money.ts': ['export {};', 'dumping-ground'],
  'services/orders/src/helpers/dates.ts': [`import '../index.js';`, 'dumping-ground'],
  'libs/kafka/src/shared/names.ts': ['export {};', 'dumping-ground'],
};

const sound: Record<string, string> = {
  // The other half of the cycle, which is reported once.
  'services/orders/src/there.ts': `import './back.js'; export type There = 1;`,
  'services/orders/src/consume.ts': `import '@shopflow/contracts'; import '@shopflow/kafka'; import 'pg'; import 'node:fs'; import './utility-bill.js';`,
  'services/orders/src/utility-bill.ts': 'export {};',
  'services/orders/src/consume.int.test.ts': `import '@shopflow/testing'; import '@shopflow/servers'; import 'vitest'; import './consume.js';`,
  'services/orders/src/orders.fixture.ts': `import '@shopflow/testing';`,
  'services/orders/src/test-support/servers.ts': `import '@shopflow/servers';`,
  'contracts/src/schema.ts': `import 'typebox'; import 'node:crypto';`,
  'libs/kafka/src/connect.ts': `import 'kafkajs'; import '@shopflow/contracts';`,
  'deploy/local/src/start.ts': `import '@shopflow/servers';`,
};

let repository: string;
let ruleNames: Set<string>;
let found: Map<string, string[]>;

beforeAll(() => {
  repository = mkdtempSync(`${tmpdir()}/dependency-rules-`);
  write('package.json', JSON.stringify({ workspaces: ['contracts', 'libs/*', 'services/*', 'deploy/*', 'tests'] }));
  for (const [folder, dependencies] of Object.entries(packages)) writePackage(folder, dependencies);
  for (const name of ['typebox', 'pg', 'kafkajs', '@platformatic/kafka', 'vitest']) writeInstalled(name);
  for (const [file, [source]] of Object.entries(broken)) write(file, source);
  for (const [file, source] of Object.entries(sound)) write(file, source);
  const { ruleSetUsed, violations } = cruise();
  ruleNames = new Set(ruleSetUsed.forbidden.map(({ name }) => name));
  found = byFile(violations);
});
afterAll(() => rmSync(repository, { recursive: true }));

describe('the dependency rules', () => {
  it('are each broken here', () => {
    const tried = new Set(Object.values(broken).flatMap(([, ...rules]) => rules));
    expect([...tried].sort()).toEqual([...ruleNames].sort());
  });

  it.each(Object.entries(broken).map(([file, [source, ...rules]]) => ({ file, source, rules })))(
    'refuse $source in $file',
    ({ file, rules }) => {
      expect(found.get(file)).toEqual(rules);
    },
  );

  it.each(Object.keys(sound))('allow %s', (file) => {
    expect(found.get(file)).toBeUndefined();
  });
});

function write(file: string, text: string): void {
  mkdirSync(dirname(`${repository}/${file}`), { recursive: true });
  writeFileSync(`${repository}/${file}`, text);
}

function writePackage(folder: string, dependencies: readonly string[]): void {
  const name = `@shopflow/${folder.split('/').at(-1)}`;
  const manifest = {
    name,
    type: 'module',
    exports: { '.': { 'shopflow:source': './src/index.ts' } },
    dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, '1.0.0'])),
    devDependencies: { vitest: '1.0.0' },
  };
  write(`${folder}/package.json`, JSON.stringify(manifest));
  write(`${folder}/src/index.ts`, 'export {};');
  mkdirSync(`${repository}/node_modules/@shopflow`, { recursive: true });
  symlinkSync(`${repository}/${folder}`, `${repository}/node_modules/${name}`);
}

function writeInstalled(name: string): void {
  write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
  write(`node_modules/${name}/index.js`, 'export {};');
}

interface Summary {
  readonly ruleSetUsed: { readonly forbidden: readonly { readonly name: string }[] };
  readonly violations: readonly Violation[];
}
interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

function cruise(): Summary {
  const command = `${ROOT}node_modules/dependency-cruiser/bin/dependency-cruiser.mjs`;
  const folders = ['contracts', 'libs', 'services', 'deploy', 'tests'];
  const options = ['--config', `${ROOT}.dependency-cruiser.mjs`, '--output-type', 'json'];
  const output = execFileSync(process.execPath, [command, ...options, ...folders], {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return (JSON.parse(output) as { summary: Summary }).summary;
}

/** The names of the broken rules, sorted. */
function byFile(violations: readonly Violation[]): Map<string, string[]> {
  const rules = new Map<string, Set<string>>();
  for (const { from, rule } of violations) rules.set(from, (rules.get(from) ?? new Set()).add(rule.name));
  return new Map([...rules].map(([file, names]) => [file, [...names].sort()]));
}
