import { defineConfig } from 'vitest/config';

const kinds = {
  unit: { include: ['**/src/**/*.test.ts'], exclude: ['**/*.{int,contract,e2e}.test.ts'], servers: false },
  int: { include: ['**/src/**/*.int.test.ts'], exclude: [], servers: true },
  contract: { include: ['**/src/**/*.contract.test.ts'], exclude: [], servers: true },
  e2e: { include: ['tests/src/**/*.e2e.test.ts'], exclude: [], servers: true },
};

/**
 * Workspace packages are read from their sources, so a test never meets a stale build. No `import` here: the workers get these as
 * Node's own conditions, and a `require` inside a dependency (pg of pg-pool) would be answered with its ES module.
 */
const conditions = ['shopflow:source', 'module', 'node'];

export default defineConfig({
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  test: {
    // Most of a test's time is waiting for a server, so a machine with two cores has room for three at once.
    maxWorkers: 3,
    // Loading Nest and TypeORM anew for each of a hundred files takes longer than their tests; what files share has no state.
    isolate: false,
    projects: Object.entries(kinds).map(([name, { include, exclude, servers }]) => ({
      extends: true as const,
      resolve: { conditions },
      ssr: { resolve: { conditions } },
      test: {
        name,
        include,
        exclude: ['**/node_modules/**', '**/dist/**', ...exclude],
        testTimeout: 30_000,
        hookTimeout: 60_000,
        ...(servers ? { globalSetup: ['libs/testing/src/global-setup.ts'] } : {}),
      },
    })),
  },
});
