// One project per package: native ESM, sources resolved through the "@svc/source" export condition, so no build is
// needed before the tests. Projects that talk to PostgreSQL get one embedded server with a template database.
// Long forms (*.long.test.ts) run alone, by `npm run test:long`.
import { availableParallelism } from 'node:os';

const long = process.env.TEST_LONG === '1';

const pathOf = (file) => new URL(file, import.meta.url).pathname;

const shared = {
  runtime: pathOf('scripts/testing/native-runtime.mjs'),
  testEnvironment: pathOf('scripts/testing/native-environment.mjs'),
  transform: {},
  testMatch: [long ? '<rootDir>/src/**/*.long.test.ts' : '<rootDir>/src/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...(long ? [] : ['\\.long\\.test\\.ts$'])],
};

const project = (displayName, rootDir) => ({ ...shared, displayName, rootDir });

export default {
  // A test file waits a third of its time for a disk or another process.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  testTimeout: long ? 3_600_000 : 60_000,
  testSequencer: '<rootDir>/scripts/testing/longest-first.mjs',
  globalSetup: '<rootDir>/scripts/testing/global-setup.mjs',
  globalTeardown: '<rootDir>/scripts/testing/global-teardown.mjs',
  projects: [
    project('core', 'packages/core'),
    project('db', 'packages/db'),
    project('iceberg', 'packages/iceberg'),
    project('lake', 'packages/lake'),
    project('traces', 'packages/traces'),
    project('instance', 'packages/instance'),
    project('api', 'packages/api'),
    project('worker', 'packages/worker'),
    project('sdk', 'packages/sdk'),
    project('cli', 'packages/cli'),
    project('console', 'packages/console'),
    project('standalone', 'apps/standalone'),
  ].map((p) => ({ ...p, rootDir: pathOf(p.rootDir) })),
};
