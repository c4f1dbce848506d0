// Removes everything from a deployed folder that its program doesn't need. pnpm includes optional peers (the Prisma command
// line with a web interface, TypeScript), which are two thirds of the folder.
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Files that never run here: sources, types, maps, tests, builds for other runtimes and databases, and what pnpm notes about the installation. */
const UNUSED = [
  /\.(map|[cm]?ts|tsbuildinfo|bare)$/,
  /node_modules\/(@[^/]+\/)?[^@/][^/]*\/tests?\//,
  // The client imports the small compiler of PostgreSQL (packages/db/src/generated).
  /@prisma\/client\/runtime\/query_(compiler|engine)(?!_small_bg\.postgresql\.).*$/,
  /parquet-wasm\/(esm|bundler)\//,
  /node_modules\/\.(modules\.yaml|pnpm-workspace-state-v1\.json)$/,
];
const SOURCES = ['src', 'tsconfig.json', 'tsconfig.build.json', 'pnpm-lock.yaml'];

/** Where a package finds another one: beside itself, or in the folder of the program. */
function resolved(from, name, root) {
  const candidates = [
    join(from, 'node_modules', name),
    join(from, '..', name),
    join(from, '..', '..', name),
    join(root, 'node_modules', name),
  ];
  const found = candidates.find((path) => existsSync(path));
  return found === undefined ? null : realpathSync(found);
}

/** The real folders of all packages that the program depends on, directly or indirectly. */
function reached(root, without) {
  const found = new Set();
  const queue = [root];
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (without.some((left) => left.test(name))) continue;
      const next = resolved(folder, name, root);
      if (next === null && !(name in optionalDependencies)) throw new Error(`${folder} lacks ${name}`);
      if (next === null || found.has(next)) continue;
      found.add(next);
      queue.push(next);
    }
  }
  return found;
}

/** Removes what the program doesn't need; returns the number of packages. */
export function prune(folder, without = []) {
  const root = realpathSync(folder);
  const store = join(root, 'node_modules/.pnpm');
  const needed = reached(root, without);
  // `<store>/<package@version>/node_modules/<name>`, where a name may have a scope.
  const retained = new Set(
    [...needed].filter((path) => path.startsWith(store)).map((path) => path.slice(store.length + 1).split('/')[0]),
  );
  let removed = 0;
  for (const name of readdirSync(store)) {
    if (retained.has(name) || name === 'node_modules') continue;
    rmSync(join(store, name), { recursive: true });
    removed++;
  }
  for (const name of SOURCES) rmSync(join(root, name), { recursive: true, force: true });
  removeUnused(join(root, 'node_modules'));
  removeUnused(join(root, 'dist'));
  return { retained: retained.size, removed };
}

/** Files that never run, and broken links. */
function removeUnused(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeUnused(path);
    else if (entry.isSymbolicLink() ? !existsSync(path) : UNUSED.some((one) => one.test(path))) rmSync(path);
  }
}
