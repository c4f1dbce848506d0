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

const ADMIN = fileURLToPath(new URL('../../../dist/bundle/admin.js', import.meta.url));
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
  // A terminal that is closed sends it.
  ['SIGHUP', 129],
] as const)(
  '%s to a backup stops the embedded database before the program exits',
  async (signal, code) => {
    const server = await start();
    await migrate(server.url);
    // Its connections don't count as a use of the server: the program is the last one that uses it.
    const db = await openDatabase({ url: server.url, log: silent, poolSize: 2 });
    await server.release();
    let output = '';
    let exited: Promise<unknown[]> = Promise.resolve([]);
    // The backup waits for this lock until the shutdown of the server ends both.
    await inTransaction(db, async (tx) => {
      await tx.$executeRaw`LOCK TABLE tables IN ACCESS EXCLUSIVE MODE`;
      const child = spawn(process.execPath, [ADMIN, 'backup', join(base, `backup-${signal}`)], {
        env: {
          PATH: process.env.PATH ?? '',
          SVC_HOME: join(base, 'home'),
          SVC_SECRETS__KEY: randomBytes(32).toString('base64'),
        },
      });
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += String(piece)));
      exited = once(child, 'close');
      const waiting = () => db.prisma.$queryRaw<unknown[]>`
        SELECT 1 FROM pg_stat_activity WHERE application_name = 'svc-backup' AND wait_event_type = 'Lock'`;
      while ((await waiting()).length === 0) expect(child.exitCode).toBeNull();
      child.kill(signal);
      await exited;
    }).catch(() => undefined);
    expect([(await exited)[0], output]).toEqual([code, expect.stringContaining(`svc-admin: stopped by ${signal}`)]);
    expect(output).toContain('Start it again with a new folder');
    expect(() => process.kill(server.pid, 0)).toThrow('ESRCH');
    await db.close();
  },
  120_000,
);
