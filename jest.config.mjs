// One project per package: native ESM, sources resolved through the "@svc/source" export condition, so no build is
// needed before the tests. Projects that talk to PostgreSQL get one embedded server with a template database.
const shared = {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@svc/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  testMatch: ['<rootDir>/src/**/*.test.ts'],
};

const project = (displayName, rootDir) => ({ ...shared, displayName, rootDir });

export default {
  coverageProvider: 'v8',
  testTimeout: 60_000,
  globalSetup: '<rootDir>/scripts/testing/global-setup.mjs',
  globalTeardown: '<rootDir>/scripts/testing/global-teardown.mjs',
  projects: [
    project('core', 'packages/core'),
    project('db', 'packages/db'),
    project('lake', 'packages/lake'),
    project('api', 'packages/api'),
    project('worker', 'packages/worker'),
    project('sdk', 'packages/sdk'),
    project('cli', 'packages/cli'),
    project('standalone', 'apps/standalone'),
  ].map((p) => ({ ...p, rootDir: new URL(p.rootDir, import.meta.url).pathname })),
};
