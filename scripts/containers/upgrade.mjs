// A container of this version on the volume of the previous one.
import { randomUUID } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { buildOldVersion, newSchema } from '../../apps/standalone/src/testing/upgrade/old-version.ts';
import { Container, check, freeAddress, svc, TOKEN } from './container.mjs';

/** What must be as it was. */
const UNCHANGED = {
  'the rows': ['sql', 'SELECT * FROM marts.revenue_by_day ORDER BY ALL'],
  'the grants': ['grant', 'list'],
  'the history of a table': ['table', 'history', 'marts.revenue_by_day'],
  'the runs': ['runs', 'list'],
};

/** The value without fields that the earlier one doesn't have. */
function asBefore(value, earlier) {
  if (Array.isArray(value)) return value.map((one, i) => asBefore(one, earlier[i] ?? {}));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.keys(earlier ?? {}).map((key) => [key, asBefore(value[key], earlier[key])]));
}

export async function tryUpgrade(engine, folder) {
  // The containers' account reads the old version.
  chmodSync(folder, 0o755);
  const old = buildOldVersion(folder);
  const volume = `svc-old-${randomUUID().slice(0, 8)}`;
  const { address, url } = await freeAddress();
  const env = { SVC_LISTEN: address, SVC_SQL__LISTEN: '', SVC_BOOTSTRAP_TOKEN: TOKEN };
  const containers = [];
  const start = async (options) => {
    const container = await Container.start(engine, 'svc-standalone', { env, volume, url, ...options });
    containers.push(container);
    await container.ready();
    check('the schema', (await (await fetch(`${url}/version`)).json()).schema, options.schema);
    return container;
  };
  try {
    // The previous version's program and packages, in the container of this one.
    const program = '/old/apps/standalone/dist/bundle/main.js';
    const before = await start({ program, mounts: [`${old.folder}:/old:ro`], schema: old.schema });
    await svc(url, 'env', 'create', 'dev');
    await svc(url, 'principal', 'create', 'nightly', '--type', 'service-account');
    await svc(url, ...'grant create --kind environment --principal nightly --role ANALYST --env dev'.split(' '));
    await svc(url, 'init', join(folder, 'shop'));
    await svc(url, 'repository', 'add', 'shop');
    await svc(url, 'deploy', join(folder, 'shop'), '--repo', 'shop');
    for (let i = 0; i < 2; i++) await svc(url, 'run', '--repo', 'shop');
    const read = async (args) => (await svc(url, ...args, '-o', 'ndjson')).split('\n').map((line) => JSON.parse(line));
    const found = {};
    for (const [what, args] of Object.entries(UNCHANGED)) found[what] = await read(args);
    await before.stop();

    const after = await start({ schema: newSchema() });
    for (const [what, args] of Object.entries(UNCHANGED))
      check(what, asBefore(await read(args), found[what]), found[what]);
    await svc(url, 'audit', 'verify');
    await svc(url, 'run', '--repo', 'shop');
    await after.stop();
    console.log(
      `upgrade: the volume of ${old.commit.slice(0, 8)} (${old.schema}) has ${newSchema()} and the same contents`,
    );
  } finally {
    for (const container of containers) await container.remove();
    await engine.run('volume', 'rm', '--force', volume);
  }
}
