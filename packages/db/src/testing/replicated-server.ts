import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { silent } from '../connection/log.ts';
import { chooseAccount } from '../embedded/account.ts';
import { findBinaries } from '../embedded/binaries.ts';
import { chownTo } from '../embedded/home.ts';
import { startEmbedded } from '../embedded/index.ts';
import { launch, type ServerFiles } from '../embedded/launch.ts';
import { shutDown } from '../embedded/stop.ts';
import { administer } from './server.ts';

const START_MS = 60_000;

/** A PostgreSQL server that a test replicates, kills and promotes. Unlike the embedded one, nothing restarts it. */
export class ReplicatedServer {
  readonly port: number;
  readonly url: string;
  private readonly files: ServerFiles;
  private readonly password: string;
  private readonly pid: number;

  private constructor(files: ServerFiles, password: string, { port, pid }: { port: number; pid: number }) {
    this.files = files;
    this.password = password;
    this.port = port;
    this.pid = pid;
    this.url = `postgresql://svc:${password}@127.0.0.1:${port}/svc`;
  }

  /** A new primary with its files in `folder`, which the account of PostgreSQL can enter. */
  static async create(folder: string): Promise<ReplicatedServer> {
    await (await startEmbedded({ dataDir: folder, log: silent })).stop();
    const account = chooseAccount();
    const binaries = await findBinaries(account, folder);
    const cluster = join(folder, 'cluster');
    const password = (await readFile(join(cluster, 'password'), 'utf8')).trim();
    const files = { home: folder, data: join(cluster, 'data'), account, binaries, durable: true };
    return ReplicatedServer.start(files, password);
  }

  private static async start(files: ServerFiles, password: string): Promise<ReplicatedServer> {
    const started = await launch(files, performance.now() + START_MS);
    if (started === null) throw new Error(`PostgreSQL doesn't start in ${files.data}`);
    return new ReplicatedServer(files, password, started);
  }

  /** A synchronous standby: from now on, this server acknowledges a commit when both servers have it on disk. */
  async addStandby(name: string): Promise<ReplicatedServer> {
    const { account } = this.files;
    const data = join(dirname(this.files.data), name);
    const write = async (file: string, text: string) => {
      await writeFile(join(data, file), text);
      await chownTo(join(data, file), account);
    };
    await administer(this.url, async (client) => {
      await client.query(`SELECT pg_backup_start('standby', true)`);
      await promisify(execFile)('cp', ['-R', this.files.data, data], { ...account.ids, cwd: '/' });
      const { rows } = await client.query<{ labelfile: string }>(
        'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
      );
      await write('backup_label', rows[0]!.labelfile);
    });
    await rm(join(data, 'postmaster.pid'));
    await write('standby.signal', '');
    const primary = `host=127.0.0.1 port=${this.port} user=svc password=${this.password} application_name=${name}`;
    await write('postgresql.auto.conf', `primary_conninfo = '${primary}'\n`);
    const standby = await ReplicatedServer.start({ ...this.files, data }, this.password);
    await administer(this.url, async (client) => {
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
      await client.query('SELECT pg_reload_conf()');
      await until(client, `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`);
    });
    return standby;
  }

  /** Kills it as a power cut does. */
  kill(): void {
    process.kill(this.pid, 'SIGKILL');
  }

  async promote(): Promise<void> {
    await administer(this.url, (client) => client.query('SELECT pg_promote()'));
  }

  stop(): Promise<void> {
    return shutDown(this.files, this.pid);
  }
}

async function until(client: pg.Client, sql: string): Promise<void> {
  while ((await client.query(sql)).rowCount === 0);
}
