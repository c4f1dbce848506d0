// The dependencies that are allowed between packages. Run by "npm run verify boundaries".
const packages = ['core', 'db', 'iceberg', 'lake', 'traces', 'instance', 'api', 'worker', 'sdk', 'cli', 'console'];
const allowed = {
  core: [],
  db: ['core'],
  iceberg: ['core'],
  lake: ['core', 'iceberg'],
  traces: ['core'],
  instance: ['core', 'db', 'lake', 'traces'],
  api: ['core', 'db', 'iceberg', 'lake'],
  worker: ['core', 'db', 'iceberg', 'lake'],
  sdk: ['core'],
  cli: ['core', 'sdk'],
  console: ['core', 'sdk'],
};
const test = '\\.test\\.ts$';

const arrows = packages.map((name) => ({
  name: `${name}-imports`,
  comment: `packages/${name} may import ${allowed[name].join(', ') || 'no other package'} of the workspace.`,
  severity: 'error',
  from: { path: `^packages/${name}/` },
  to: { path: '^(packages|apps|bench)/', pathNot: `^packages/(${[name, ...allowed[name]].join('|')})/` },
}));

/** The modules of packages/worker from the bottom up. Each imports only those before it. */
const workerLayers = [
  'programs',
  'isolation',
  'limits',
  'metrics',
  'outgoing',
  'work',
  'staging',
  'python',
  'quotas',
  'tables',
  'package-indexes',
  'queries',
  'writes',
  'maintenance',
  'drops',
  'retention',
  'jobs',
  'deploys',
  'runs',
  'webhooks',
  'audit',
  'sweep',
  'workers',
  'process',
];
const layers = workerLayers.map((name, i) => ({
  name: `worker-${name}-imports`,
  comment: `packages/worker/src/${name} may import only the modules below it (workerLayers in .dependency-cruiser.cjs).`,
  severity: 'error',
  from: { path: `^packages/worker/src/${name}/`, pathNot: test },
  to: { path: '^packages/worker/src/', pathNot: `^packages/worker/src/(${workerLayers.slice(0, i + 1).join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...arrows,
    ...layers,
    {
      name: 'apps-imports',
      comment: 'An app imports packages, never another app.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'resolvable',
      comment:
        'Every import is declared in the package that makes it; without this rule an undeclared one slips through.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'declared',
      comment: 'Packages used are in package.json; those that only tests and builds use are devDependencies.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-peer'] },
    },
    {
      name: 'no-dev-dependencies',
      comment: 'The command line is bundled: what it needs is inside, and nothing is installed with it.',
      severity: 'error',
      from: { path: '^(packages|apps)/[^/]+/src/', pathNot: `${test}|/testing/|^packages/cli/` },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm-peer'] },
    },
    {
      name: 'core-is-pure',
      comment: 'core runs in a browser: no part of Node.',
      severity: 'error',
      // Generators of checked-in sources run at build time.
      from: { path: '^packages/core/src/', pathNot: `${test}|/generate-[^/]+\\.mjs$` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'prisma-stays-in-db',
      comment:
        'Prisma, its generated client and the driver are details of packages/db. Tests use the driver as a client of svc.',
      severity: 'error',
      from: { pathNot: '^packages/db/|^apps/standalone/src/(testing/postgres-|tests/postgres/)' },
      to: { path: '^packages/db/src/generated/|node_modules/(@prisma/|prisma/|pg/)' },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { path: '^(packages|apps)/', pathNot: `${test}|/testing/` },
      to: { path: `${test}|^packages/[^/]+/src/testing/` },
    },
    {
      name: 'no-cycles',
      comment: 'Types count: files that need each other are one file, or lack a third.',
      severity: 'error',
      from: { pathNot: '/generated/' },
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|/generated/' },
    exclude: { path: '(^|/)(dist|node_modules/\\.cache)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@svc/source', 'import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
    },
  },
};
