import { deepStrictEqual } from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Model, type Observation, type Op, SPECIFIED } from '@svc/core/drops/testing';
import { EngineHistory, type EngineOp, isEngineOp, shown } from './engine-history.ts';
import { KilledError, type LifecycleWorld } from './lifecycle-world.ts';

let serial = 0;

/** One random history, run on the model and on the service together: every response and the final state are equal. */
export class LifecycleHistory {
  private readonly world: LifecycleWorld;
  private readonly model = new Model(SPECIFIED);
  private readonly env = `history${serial++}`;
  private readonly ids: string[] = [];
  private readonly locations: string[] = [];
  private readonly engine: EngineHistory;

  constructor(world: LifecycleWorld) {
    this.world = world;
    this.engine = new EngineHistory(world, { env: this.env, made: (id, location) => this.made(id, location) });
    world.set({ undoDays: 7 });
  }

  async apply(op: Op): Promise<void> {
    const { world, model } = this;
    // Two steps never happen at the same moment.
    world.now = new Date(world.now.getTime() + 1000);
    if (op.kind === 'pass') world.pass(op.days);
    const outcome = model.apply(op, world.now.getTime());
    // An engine learns only the kind of a refusal.
    const expected = isEngineOp(op) ? shown(outcome) : outcome;
    const got = isEngineOp(op) ? await this.engine.apply(op) : await this.really(op);
    if (got !== expected) throw new Error(`${JSON.stringify(op)} came to ${got}, not to ${expected}`);
  }

  private async really(op: Exclude<Op, EngineOp>): Promise<string> {
    const { world, env } = this;
    const path = `/environments/${env}`;
    const table = 'name' in op ? `${path}/namespaces/n/tables/${op.name}` : '';
    switch (op.kind) {
      case 'pass':
        return 'ok';
      case 'undoDays':
        world.set({ undoDays: op.days });
        return 'ok';
      case 'sweep':
        return this.sweep(op.kill);
      case 'makeEnvironment': {
        const made = await this.send('POST', '/environments', { name: env });
        if (made === 'ok') await this.send('POST', `${path}/namespaces`, { path: 'n' });
        return made;
      }
      case 'deleteEnvironment':
        return this.send('DELETE', `${path}${op.purge ? '?purge=true' : ''}`);
      case 'restoreEnvironment':
        return this.send('POST', `${path}/restore`);
      case 'environmentRetention':
        return this.send('PUT', `${path}/retention`, { days: op.days });
      case 'create':
        return this.create(op.name, op.days);
      case 'write':
        return this.send('PATCH', table, { description: `written at ${world.now.toISOString()}` });
      case 'read':
        return this.read(table);
      case 'grant':
        return this.send('POST', '/grants', { principal: `p${op.to}`, action: 'READ_TABLE', ...this.scope(op.name) });
      case 'revoke':
        return this.revoke(op.name, op.to);
      case 'filter':
        return this.send('POST', `${table}/row-filters`, { principal: 'p0', predicate: 'id > 0' });
      case 'hold':
        return this.send('PUT', `${table}/hold`, { reason: 'kept' });
      case 'release':
        return this.send('DELETE', `${table}/hold`);
      case 'retention':
        return this.send('PUT', `${table}/retention`, this.rule(op));
      case 'drop':
        return this.send('DELETE', `${table}${op.purge ? '?purge=true' : ''}`);
      case 'undrop':
        return this.send('POST', `${table}/undrop`, op.as === null ? {} : { new_name: op.as });
    }
  }

  private rule({ days, inDays, never }: Extract<Op, { kind: 'retention' }>): object {
    if (days !== null) return { days };
    if (never) return { never };
    return { on: new Date(this.world.now.getTime() + inDays! * 86_400_000).toISOString().slice(0, 10) };
  }

  private scope(table: string) {
    return { kind: 'TABLE', environment: this.env, namespace: 'n', table };
  }

  /** `ok`, or the code of the refusal. */
  private async send(method: string, path: string, body?: unknown): Promise<string> {
    const answer = await this.world.server.call(method, `/api/v1${path}`, body === undefined ? {} : { body });
    if (answer.status >= 500) throw new Error(answer.text);
    return answer.status < 300 ? 'ok' : answer.body.code;
  }

  private async sweep(kill: 'purge.taken' | 'purge.deleted' | null): Promise<string> {
    await this.world.sweep(kill === null ? {} : { killAt: kill }).catch((error: unknown) => {
      if (!(error instanceof KilledError)) throw error;
    });
    return 'ok';
  }

  private async create(name: string, days: number | null): Promise<string> {
    const body = { name, columns: [{ name: 'id', type: 'long' }], ...(days === null ? {} : { expire_after: days }) };
    const answer = await this.world.server.call('POST', `/api/v1/environments/${this.env}/namespaces/n/tables`, {
      body,
    });
    if (answer.status !== 201) return answer.body.code;
    await this.made(answer.body.id, answer.body.location);
    return 'ok';
  }

  private async made(id: string, location: string): Promise<void> {
    this.ids.push(id);
    this.locations.push(location);
    await this.world.server.store.write(`${location}/data/0.parquet`, Buffer.from('rows'));
  }

  private async read(table: string): Promise<string> {
    const answer = await this.world.server.call('GET', `/api/v1${table}`);
    if (answer.status !== 200) return answer.body.code;
    await this.world.read(answer.body.id);
    return 'ok';
  }

  private async revoke(name: string, to: 0 | 1): Promise<string> {
    const path = `/environments/${this.env}/namespaces/n/tables/${name}`;
    const found = await this.send('GET', path);
    if (found !== 'ok') return found;
    const query = `environment=${this.env}&namespace=n&table=${name}&principal_name=p${to}`;
    const { body } = await this.world.server.call('GET', `/api/v1/grants?${query}`);
    return body.length === 0 ? 'not-found' : this.send('DELETE', `/grants/${body[0].id}`);
  }

  /** Compares the final state, and cleans up. */
  async finish(): Promise<void> {
    deepStrictEqual(await this.observe(), this.model.observe(this.world.now.getTime()));
    await this.clear();
  }

  /** Without the service's help: nothing must remain for the sweeps of later histories. */
  private async clear(): Promise<void> {
    const { env, ids } = this;
    const { prisma, server } = this.world;
    await prisma.table.deleteMany({ where: { id: { in: ids } } });
    const made = await prisma.environment.findMany({ where: { name: env }, select: { id: true } });
    await prisma.environment.deleteMany({ where: { name: env } });
    for (const { id } of made)
      await rm(join(server.folder, 'warehouse', 'tables', id), { recursive: true, force: true });
  }

  private async observe(): Promise<Observation> {
    const { world, env, ids } = this;
    const environment = await world.prisma.environment.findFirst({ where: { name: env, purged_at: null } });
    const rows = new Map(
      (await world.prisma.table.findMany({ where: { id: { in: ids } } })).map((row) => [row.id, row]),
    );
    const policies = await this.policies();
    const listed = environment?.deleted_at === null ? await this.expiries() : new Map();
    const tables: Observation['tables'] = [];
    for (const [at, id] of ids.entries()) {
      const row = rows.get(id)!;
      const state = row.purged_at !== null ? 'purged' : row.dropped_at === null ? 'active' : 'dropped';
      tables.push({
        serial: at,
        state,
        name: row.name,
        files: (await world.files(this.locations[at]!)) > 0,
        policies: policies.get(id) ?? [],
        restorable: state === 'dropped' ? this.restorable(row) : null,
        expiresAt: state === 'active' ? listed.get(row.name) : null,
      });
    }
    return {
      environment: environment === null ? 'none' : environment.deleted_at === null ? 'active' : 'deleted',
      tables,
    };
  }

  // A deleted environment shows no lists: the rows of its tables are read.
  private restorable(row: { drop_reason: string | null; purge_started_at: Date | null; purge_after: Date | null }) {
    return row.drop_reason !== 'purge' && row.purge_started_at === null && row.purge_after! > this.world.now;
  }

  /** When each active table expires, by name. */
  private async expiries(): Promise<Map<string, number | null>> {
    const tables: { name: string; expires_at: string | null }[] = await this.world.call(
      200,
      'GET',
      `/environments/${this.env}/namespaces/n/tables`,
    );
    return new Map(tables.map((t) => [t.name, t.expires_at === null ? null : Date.parse(t.expires_at)]));
  }

  /** The policies of each table that has any. */
  private async policies(): Promise<Map<string, string[]>> {
    const rows = await this.world.prisma.$queryRaw<{ id: string; policies: string[] }[]>`
      SELECT id, array_agg(policy ORDER BY policy) AS policies FROM (
        SELECT table_id AS id, 'filter' AS policy FROM row_filters WHERE ended_at IS NULL GROUP BY table_id
        UNION ALL
        SELECT g.object_id, 'grant ' || substr(p.name, 2) FROM grants g JOIN principals p ON p.id = g.principal_id
        WHERE g.ended_at IS NULL
      ) each_policy WHERE id = ANY(${this.ids}::uuid[]) GROUP BY id`;
    return new Map(rows.map(({ id, policies }) => [id, policies]));
  }
}
