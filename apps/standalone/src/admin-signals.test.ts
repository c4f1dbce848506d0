import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTransaction, openDatabase, silent } from '@svc/db/connection';
import { startEmbedded } from '@svc/db/embedded';
import { migrate } from '@svc/db/migrate';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let base: string;
const start = () => startEmbedded({ dataDir: join(base, 'home', 'postgres'), log: silent, durable: false });

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'svc-admin-'));
});
afterAll(async () => {
  await (await start()).stop();
  await rm(base, { recursive: true, force: true });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s to a backup stops the embedded database before the program exits',
  async (signal, code) => {
    const server = await start();
    await migrate(server.url);
    // Its connections are no claim on the server: the program is the last one that uses it.
    const db = await openDatabase({ url: server.url, log: silent, poolSize: 2 });
    await server.release();
    const folder = join(base, `backup-${signal}`);
    const child = spawn(process.execPath, ['apps/standalone/dist/bundle/admin.js', 'backup', folder], {
      cwd: root,
      env: {
        PATH: process.env.PATH ?? '',
        SVC_HOME: join(base, 'home'),
        SVC_SECRETS__KEY: randomBytes(32).toString('base64'),
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += String(piece)));
    const exited = once(child, 'close');
    // The backup waits for this lock until the shutdown of the server ends both.
    const locked = inTransaction(db, async (tx) => {
      await tx.$executeRaw`LOCK TABLE tables IN ACCESS EXCLUSIVE MODE`;
      const waiting = () => db.prisma.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity WHERE application_name = 'svc-backup' AND wait_event_type = 'Lock'`;
      while ((await waiting()).length === 0) expect(child.exitCode).toBeNull();
      child.kill(signal);
      await exited;
    }).catch(() => undefined);
    expect([(await exited)[0], output]).toEqual([code, expect.stringContaining(`svc-admin: stopped by ${signal}`)]);
    expect(output).toContain('Start it again with a new folder');
    expect(() => process.kill(server.pid, 0)).toThrow('ESRCH');
    await locked;
    await db.close();
  },
  120_000,
);
