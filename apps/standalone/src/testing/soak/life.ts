import { createHash } from 'node:crypto';
import type { SvcError } from '@svc/sdk';
import type { Dice } from '../fuzz/dice.ts';
import { loadInto } from '../orders.ts';
import { TOKEN } from '../test-service.ts';
import type { MovedService } from './moved-service.ts';

const DAY_MS = 86_400_000;
const UNDO_DAYS = 7;
const COLUMNS = [{ name: 'id', type: 'bigint', nullable: true, description: null }];

/** A dropped object, and what is planned for it. */
interface Dropped {
  env: string;
  /** Null for a whole environment. */
  table: string | null;
  location: string;
  restoreOn: number | null;
  /** Milliseconds since 1970: when its files may be deleted. */
  due: number;
}

/** What people do besides the schedules, day by day, and the expected results. */
export class Life {
  /** The number of rows of `loads.orders`. */
  orders = 0;
  /** Folders that must be deleted, with the time from which on. */
  readonly gone: { location: string; due: number }[] = [];
  private readonly s: MovedService;
  private readonly dice: Dice;
  private dropped: Dropped[] = [];
  private idle: { table: string; location: string; day: number }[] = [];
  private tokens: { token: string; expires: number }[] = [];
  private grant: string | null = null;
  /** The queries of the last two days. */
  private queryIds: string[] = [];

  constructor(s: MovedService, dice: Dice) {
    this.s = s;
    this.dice = dice;
  }

  async prepare(): Promise<void> {
    const { client } = this.s;
    for (const path of ['loads', 'tmp', 'keep']) await client.namespaces.create('shop', path);
    await client.tables.create('shop', 'loads.orders', { kind: 'managed', columns: COLUMNS });
    await client.principals.create({ name: 'visitor', type: 'service-account' });
  }

  /** The operations of a day; `day` counts from 0. */
  async live(day: number): Promise<void> {
    await this.loads(day);
    await this.commits(day);
    await this.queries();
    await this.access(day);
    await this.restores(day);
    if (day % 7 === 0) await this.dropTable(day);
    if (day % 20 === 5) await this.dropEnvironment(day);
    await this.idles(day);
    if (day % 30 === 10) await this.indexes();
  }

  private async load(env: string, table: string, rows: number, mode: 'append' | 'replace' = 'append'): Promise<void> {
    const data = `id\n${Array.from({ length: rows }, (_, i) => i).join('\n')}\n`;
    const { status, error } = await loadInto(this.s.client, { env, table }, { format: 'csv', mode, data });
    if (status !== 'succeeded') throw new Error(`a load into ${table} failed with ${JSON.stringify(error)}`);
  }

  private async loads(day: number): Promise<void> {
    const rows = 1 + this.dice.below(5);
    const mode = day % 50 === 49 ? 'replace' : 'append';
    await this.load('shop', 'loads.orders', rows, mode);
    this.orders = mode === 'replace' ? rows : this.orders + rows;
  }

  /** A commit of an engine through the catalog protocol. */
  private async commits(day: number): Promise<void> {
    const updates = [{ action: 'set-properties', updates: { day: String(day) } }];
    const answer = await fetch(`${this.s.url}/catalog/v1/shop/namespaces/loads/tables/orders`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ requirements: [], updates }),
    });
    const { metadata } = (await answer.json()) as { metadata?: { properties: Record<string, string> } };
    expect([day, answer.status, metadata?.properties['day']]).toEqual([day, 200, String(day)]);
  }

  /** The result of the day before yesterday has expired; today's exists, and two requests with one key are one query. */
  private async queries(): Promise<void> {
    const { queries } = this.s.client;
    const over = this.queryIds.length > 1 ? this.queryIds.shift()! : null;
    if (over !== null) expect(await codeOf(queries.results('shop', over))).toBe('result-expired');
    const idempotencyKey = createHash('sha256').update(String(this.s.now())).digest('hex').slice(0, 32);
    const submit = () => queries.submit('shop', 'SELECT count(*) AS n FROM loads.orders', { idempotencyKey });
    const [first, again] = [await submit(), await submit()];
    expect(again.id).toBe(first.id);
    await queries.wait('shop', first.id);
    expect((await queries.results('shop', first.id)).rows).toEqual([[this.orders]]);
    const wide = await queries.submit('shop', 'SELECT i FROM range(5000) t(i)');
    await queries.wait('shop', wide.id);
    await queries.results('shop', wide.id);
    this.queryIds.push(wide.id);
  }

  private async access(day: number): Promise<void> {
    const { tokens, grants } = this.s.client;
    const expires = this.s.now() + (1 + this.dice.below(10)) * DAY_MS;
    const { token } = await tokens.issue('visitor', `of ${day}`, { expires_at: new Date(expires) });
    this.tokens.push({ token, expires });
    for (const issued of this.tokens) {
      const { status } = await this.s.call('GET', '/environments', { token: issued.token });
      expect([day, issued.expires > this.s.now(), status]).toEqual([
        day,
        status === 200,
        issued.expires > this.s.now() ? 200 : 401,
      ]);
    }
    this.tokens = this.tokens.filter((issued) => issued.expires > this.s.now());
    if (day % 7 !== 3) return;
    if (this.grant !== null) await grants.revoke(this.grant);
    const scope = { kind: 'ENVIRONMENT', environment: 'shop', principal: 'visitor', role: 'DATA_ENGINEER' } as const;
    this.grant = (await grants.create(scope)).id;
  }

  private async dropTable(day: number): Promise<void> {
    const { tables } = this.s.client;
    const table = `tmp.t${day}`;
    const { location } = await tables.create('shop', table, { kind: 'managed', columns: COLUMNS });
    await this.load('shop', table, 2);
    const purge = day % 3 === 2;
    const restorable = !purge && this.dice.chance(0.5);
    await tables.delete('shop', table, { purge });
    const restoreOn = restorable ? day + 1 + this.dice.below(UNDO_DAYS - 1) : null;
    const due = this.s.now() + (purge ? 0 : UNDO_DAYS * DAY_MS);
    this.dropped.push({ env: 'shop', table, location: location!, restoreOn, due });
  }

  private async dropEnvironment(day: number): Promise<void> {
    const { environments, namespaces, tables } = this.s.client;
    const env = `e${day}`;
    await environments.create(env);
    await namespaces.create(env, 'made');
    const { location } = await tables.create(env, 'made.rows', { kind: 'managed', columns: COLUMNS });
    await this.load(env, 'made.rows', 2);
    await environments.delete(env);
    const restoreOn = this.dice.chance(0.5) ? day + 3 : null;
    this.dropped.push({ env, table: null, location: location!, restoreOn, due: this.s.now() + UNDO_DAYS * DAY_MS });
  }

  /** A restored table has its rows, and is then dropped for good. */
  private async restores(day: number): Promise<void> {
    const { environments, tables, queries } = this.s.client;
    for (const { env, table, location, restoreOn, due } of this.dropped) {
      if (restoreOn === null) {
        this.gone.push({ location, due });
        continue;
      }
      if (restoreOn !== day) continue;
      await (table === null ? environments.restore(env) : tables.undrop(env, table));
      const { rows } = await queries.run(env, `SELECT count(*) AS n FROM ${table ?? 'made.rows'}`);
      expect(rows).toEqual([{ n: 2 }]);
      await (table === null ? environments.delete(env, { purge: true }) : tables.delete(env, table, { purge: true }));
      this.gone.push({ location, due: this.s.now() });
    }
    this.dropped = this.dropped.filter(({ restoreOn }) => restoreOn !== null && restoreOn > day);
  }

  /** A table that expires five days after its last read. */
  private async idles(day: number): Promise<void> {
    const { tables, queries } = this.s.client;
    if (day % 15 === 3) {
      const table = `keep.r${day}`;
      const body = { kind: 'managed', columns: COLUMNS, expire_after: 5 } as const;
      const { location } = await tables.create('shop', table, body);
      this.idle.push({ table, location: location!, day });
    }
    for (const { table, location, day: made } of this.idle) {
      if (day === made + 2) await queries.run('shop', `SELECT count(*) AS n FROM ${table}`);
      if (day === made + 6) expect((await tables.get('shop', table)).expires_at).not.toBeNull();
      if (day !== made + 9) continue;
      expect(await codeOf(tables.get('shop', table))).toMatch(/not-found/);
      // Dropped after seven days, at the next sweep, and deleted seven days later.
      this.gone.push({ location, due: this.s.now() + 7 * DAY_MS });
    }
    this.idle = this.idle.filter(({ day: made }) => day < made + 9);
  }

  private async indexes(): Promise<void> {
    const { packageIndexes } = this.s.client;
    await packageIndexes.create('own', 'https://packages.example.org/simple');
    await packageIndexes.update('own', { url: 'https://packages.example.org/other' });
    expect((await packageIndexes.list()).map(({ name }) => name)).toEqual(['own']);
    await packageIndexes.delete('own');
  }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: SvcError) => String(error.code),
  );
}
