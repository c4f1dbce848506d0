// The standalone image on a volume: a project with Python, kill -9, a backup that another container restores.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Container, check, freeAddress, LIMITS, svc, TOKEN } from './container.mjs';

const ROWS = 'SELECT count(*)::INT AS n, sum(revenue)::DOUBLE AS revenue FROM marts.revenue_by_day';

export async function tryStandalone(engine, folder) {
  const [volume, restored, backups] = ['data', 'restored', 'backups'].map(
    (name) => `svc-${name}-${randomUUID().slice(0, 8)}`,
  );
  const { address, url } = await freeAddress();
  const env = { SVC_LISTEN: address, SVC_SQL__LISTEN: '', SVC_BOOTSTRAP_TOKEN: TOKEN };
  const containers = [];
  const start = async (name) => {
    const container = await Container.start(engine, 'svc-standalone', { env, volume: name, url });
    containers.push(container);
    await container.ready();
    return container;
  };
  try {
    const first = await start(volume);
    check('the account', await first.exec('id', '-u'), '10001');
    await first.exec('node', '/app/healthy.mjs', `${url}/readyz`);
    await svc(url, 'env', 'create', 'dev');
    await svc(url, 'init', join(folder, 'orders'), '--python');
    await svc(url, 'repository', 'add', 'orders');
    await svc(url, 'deploy', join(folder, 'orders'), '--repo', 'orders');
    await svc(url, 'run', '--repo', 'orders');
    const rows = await svc(url, 'sql', ROWS, '-o', 'ndjson');
    const workers = (await svc(url, 'doctor')).split('\n').find((line) => line.includes('workers'));
    console.log(`standalone: a project with a Python task ran: ${rows}\n${workers}`);

    await first.kill();
    await first.startAgain();
    await first.ready();
    check('the rows after kill -9', await svc(url, 'sql', ROWS, '-o', 'ndjson'), rows);
    await first.stop();
    console.log('standalone: the rows are there after kill -9, and it stops on request');

    const admin = (volumeOf, ...args) => {
      const mounts = ['-v', `${volumeOf}:/var/lib/svc`, '-v', `${backups}:/backup`];
      const program = ['--entrypoint', 'node', 'svc-standalone', '/app/dist/bundle/admin.js'];
      return engine.run('run', '--rm', '--network', 'host', ...LIMITS, ...mounts, ...program, ...args);
    };
    await admin(volume, 'backup', '/backup/trial');
    await admin(volume, 'backup', 'verify', '/backup/trial');
    await engine.run('volume', 'create', restored);
    const copyKey = 'cp /old/secrets.key /var/lib/svc/secrets.key && chmod 600 /var/lib/svc/secrets.key';
    const both = ['-v', `${volume}:/old:ro`, '-v', `${restored}:/var/lib/svc`];
    await engine.run(
      'run',
      '--rm',
      '--network',
      'host',
      ...LIMITS,
      ...both,
      '--entrypoint',
      'sh',
      'svc-standalone',
      '-c',
      copyKey,
    );
    await admin(restored, 'restore', '/backup/trial');
    const second = await start(restored);
    check('the rows after a restore', await svc(url, 'sql', ROWS, '-o', 'ndjson'), rows);
    await second.stop();
    console.log('standalone: another container restored the backup of its volume');
  } finally {
    for (const container of containers) await container.remove();
    for (const name of [volume, restored, backups]) await engine.run('volume', 'rm', '--force', name);
  }
}
