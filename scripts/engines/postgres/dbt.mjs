// dbt with its adapter for PostgreSQL: it connects, but builds views and transactions that svc doesn't have.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checker } from '../checks.mjs';
import { TOKEN } from '../service.mjs';

const uv = process.env.SVC_RUN__UV ?? 'uv';
/** Newer versions download a part from GitHub while they are installed. */
const PACKAGES = ['dbt-core==1.10.*', 'dbt-postgres==1.11.0'];

const FILES = (port) => ({
  'dbt_project.yml': 'name: trial\nversion: "1.0"\nprofile: trial\n',
  'profiles.yml': JSON.stringify({
    trial: {
      target: 'dev',
      outputs: {
        dev: {
          ...{ type: 'postgres', host: '127.0.0.1', port, user: 'admin', password: TOKEN },
          ...{ dbname: 'dev', schema: 'shop', threads: 1 },
        },
      },
    },
  }),
  'models/one.sql': 'SELECT 1 AS id\n',
});

export async function dbt(port) {
  const base = ['run', '--quiet', '--no-project', ...PACKAGES.flatMap((one) => ['--with', one])];
  const there = spawnSync(uv, [...base, 'dbt', '--version'], { encoding: 'utf8' });
  if (there.status !== 0) {
    console.log(`dbt did not run: ${(there.error?.message ?? there.stderr.trim()).split('\n')[0]}`);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'svc-dbt-'));
  const run = (command) => {
    const args = [...base, 'dbt', command, '--profiles-dir', folder, '--project-dir', folder];
    return spawnSync(uv, args, { cwd: folder, encoding: 'utf8' }).stdout;
  };
  const { equal, end } = checker('dbt');
  try {
    mkdirSync(join(folder, 'models'));
    for (const [name, text] of Object.entries(FILES(port))) writeFileSync(join(folder, name), text);
    await equal('dbt debug', () => run('debug').includes('All checks passed!'), true);
    await equal('dbt run is refused', () => run('run').includes('CREATE VIEW is not available'), true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return end();
}
