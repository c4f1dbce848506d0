import type { Op } from './histories.ts';
import type { ModelDrop, ModelEnvironment, ModelRules, ModelTable } from './specified.ts';

/** What both the model and a service show after a history. */
export interface Observation {
  environment: 'active' | 'deleted' | 'none';
  tables: {
    serial: number;
    state: 'active' | 'dropped' | 'purged';
    name: string;
    files: boolean;
    policies: string[];
    /** For dropped tables. */
    restorable: boolean | null;
    /** For active tables. */
    expiresAt: number | null;
  }[];
}

const DAY_MS = 86_400_000;

/**
 * An in-memory model of one environment's drops, restores, retention and sweep, written from the rules (DROP, ENV-1 to
 * ENV-3, RETAIN).
 */
export class Model {
  environment: ModelEnvironment | null = null;
  undoDays = 7;
  private readonly past: ModelTable[] = [];
  private serial = 0;
  private readonly rules: ModelRules;

  constructor(rules: ModelRules) {
    this.rules = rules;
  }

  /** The result of the operation: `ok`, or the code of the refusal. */
  apply(op: Op, now: number): string {
    switch (op.kind) {
      case 'makeEnvironment':
        return this.makeEnvironment();
      case 'deleteEnvironment':
        return this.deleteEnvironment(op.purge, now);
      case 'restoreEnvironment':
        return this.restoreEnvironment(now);
      case 'sweep':
        return this.sweep(op.kill, now);
      case 'undoDays':
        this.undoDays = op.days;
        return 'ok';
      case 'pass':
        return 'ok';
      case 'hold':
      case 'release':
        return this.changeLegalHold(op);
      default:
        return this.inEnvironment(op, now);
    }
  }

  private makeEnvironment(): string {
    if (this.environment !== null) return this.environment.deleted ? 'name-held-by-deleted' : 'already-exists';
    this.environment = { deleted: null, retention: null, tables: [] };
    return 'ok';
  }

  private inEnvironment(op: Exclude<Op, { kind: 'pass' }>, now: number): string {
    const env = this.environment;
    if (env === null) return 'not-found';
    if (env.deleted !== null) return 'environment-deleted';
    if (op.kind === 'environmentRetention') {
      env.retention = op.days === null ? null : { days: op.days, setAt: now };
      return 'ok';
    }
    if (op.kind === 'create') return this.create(env, { ...op, inside: null }, now);
    if (op.kind === 'engineCreate') return this.create(env, { ...op, days: null }, now);
    if (op.kind === 'undrop' || op.kind === 'register') return this.undrop(env, op, now);
    const table = env.tables.find(({ drop, name }) => drop === null && 'name' in op && name === op.name);
    if (table === undefined) return 'not-found';
    return op.kind === 'rename' ? this.rename(env, table, op.to, now) : this.onTable(table, op, now);
  }

  private rename(env: ModelEnvironment, table: ModelTable, to: string, now: number): string {
    if (to !== table.name && active(env, to)) return 'name-taken';
    table.name = to;
    table.activity = now;
    return 'ok';
  }

  private create(
    env: ModelEnvironment,
    op: { name: string; days: number | null; inside: string | null },
    now: number,
  ): string {
    if (active(env, op.name)) return 'already-exists';
    const rule = { days: op.days, on: null, never: false };
    const table = { serial: this.serial++, name: op.name, activity: now, rule, policies: new Set<string>() };
    const outer = env.tables.find(({ drop, name }) => drop === null && name === op.inside)?.serial ?? null;
    env.tables.push({ ...table, held: false, drop: null, files: true, purged: false, outer });
    return 'ok';
  }

  private onTable(table: ModelTable, op: Op, now: number): string {
    switch (op.kind) {
      case 'write':
      case 'read':
        table.activity = now;
        return 'ok';
      case 'grant':
      case 'filter': {
        const policy = op.kind === 'grant' ? `grant ${op.to}` : 'filter';
        if (table.policies.has(policy)) return op.kind === 'grant' ? 'duplicate-grant' : 'already-exists';
        table.policies.add(policy);
        return 'ok';
      }
      case 'revoke':
        return table.policies.delete(`grant ${op.to}`) ? 'ok' : 'not-found';
      case 'retention':
        table.rule = {
          days: op.days,
          on: op.inDays === null ? null : dayOf(now + op.inDays * DAY_MS),
          never: op.never,
        };
        table.activity = now;
        return 'ok';
      case 'drop':
      case 'engineDrop':
        if (op.purge && table.held) return 'table-held';
        this.drop(table, op.purge ? 'purge' : 'user', now);
        return 'ok';
      default:
        throw new Error(op.kind);
    }
  }

  private drop(table: ModelTable, reason: ModelDrop['reason'], now: number, purgeAfter?: number): void {
    const until = purgeAfter ?? this.rules.purgeAfter(reason, this.undoDays, now);
    table.drop = { reason, at: now, purgeAfter: until, started: false, took: [...table.policies] };
    table.policies.clear();
  }

  private bringBack(table: ModelTable, now: number): void {
    for (const policy of table.drop!.took) table.policies.add(policy);
    if (table.rule.on !== null && table.rule.on <= dayOf(now)) table.rule.on = null;
    table.drop = null;
    table.activity = now;
  }

  private undrop(env: ModelEnvironment, op: { name: string; as: string | null }, now: number): string {
    const drops = env.tables
      .filter(({ name, drop, purged }) => name === op.name && drop !== null && !purged)
      .sort((a, b) => b.drop!.at - a.drop!.at || b.serial - a.serial);
    const drop = drops.find((table) => this.rules.refusal(table.drop!, now) === null) ?? drops[0];
    if (drop === undefined) return 'nothing-dropped';
    const refusal = this.rules.refusal(drop.drop!, now);
    if (refusal !== null) return refusal;
    const name = op.as ?? drop.name;
    if (active(env, name)) return 'name-taken';
    drop.name = name;
    this.bringBack(drop, now);
    return 'ok';
  }

  private changeLegalHold(op: { kind: 'hold' | 'release'; name: string }): string {
    const env = this.environment;
    const tables = (env?.tables ?? []).filter(({ name, purged }) => name === op.name && !purged);
    const newest = tables
      .filter((table) => table.drop !== null)
      .sort((a, b) => b.drop!.at - a.drop!.at || b.serial - a.serial);
    const table = tables.find(({ drop }) => drop === null) ?? newest[0];
    if (table === undefined) return env?.deleted ? 'environment-deleted' : 'not-found';
    if (op.kind === 'hold' && table.drop?.started) return 'purge-started';
    if (op.kind === 'release' && !table.held) return 'not-held';
    table.held = op.kind === 'hold';
    return 'ok';
  }

  private deleteEnvironment(purge: boolean, now: number): string {
    const env = this.environment;
    if (env === null) return 'not-found';
    if (env.deleted !== null && !purge) return 'environment-deleted';
    if (purge && env.tables.some(({ held, purged }) => held && !purged)) return 'table-held';
    const until = this.rules.purgeAfter(purge ? 'purge' : 'environment_deleted', this.undoDays, now);
    for (const table of env.tables) if (table.drop === null) this.drop(table, 'environment_deleted', now, until);
    env.deleted = { purgeAfter: Math.min(until, env.deleted?.purgeAfter ?? until), purge };
    if (purge) for (const { drop } of env.tables) if (drop) drop.purgeAfter = Math.min(drop.purgeAfter, now);
    return 'ok';
  }

  private restoreEnvironment(now: number): string {
    const env = this.environment;
    if (env === null) return 'not-found';
    if (env.deleted === null) return 'not-deleted';
    if (env.deleted.purge) return 'dropped-with-purge';
    const taken = env.tables.filter(({ drop }) => drop?.reason === 'environment_deleted');
    if (taken.some(({ drop }) => drop!.started)) return 'purge-started';
    if (env.deleted.purgeAfter <= now) return 'undo-period-over';
    env.deleted = null;
    for (const table of taken) this.bringBack(table, now);
    return 'ok';
  }

  private sweep(kill: Extract<Op, { kind: 'sweep' }>['kill'], now: number): string {
    const env = this.environment;
    if (env === null) return 'ok';
    if (env.deleted === null)
      for (const table of env.tables) {
        const at = table.drop === null && !table.held ? this.rules.expiresAt(table, env) : null;
        if (at !== null && at <= now) this.drop(table, 'retention', now);
      }
    // A table inside another one's folder is purged first, and the outer one in the same sweep.
    for (let due = dueIn(env, now); due.length > 0; due = dueIn(env, now)) {
      for (const table of due) table.drop!.started = true;
      if (kill === 'purge.taken') return 'ok';
      for (const table of due) table.files = false;
      if (kill === 'purge.deleted') return 'ok';
      for (const table of due) table.purged = true;
    }
    if (kill !== null) return 'ok';
    if (env.deleted === null || env.deleted.purgeAfter > now || env.tables.some(({ purged }) => !purged)) return 'ok';
    this.past.push(...env.tables);
    this.environment = null;
    return 'ok';
  }

  observe(now: number): Observation {
    const env = this.environment;
    const tables = [...this.past, ...(env?.tables ?? [])];
    return {
      environment: env === null ? 'none' : env.deleted === null ? 'active' : 'deleted',
      tables: tables.map((table) => ({
        serial: table.serial,
        state: table.purged ? 'purged' : table.drop === null ? 'active' : 'dropped',
        name: table.name,
        files: table.files,
        policies: [...table.policies].sort(),
        restorable: table.drop === null || table.purged ? null : this.rules.refusal(table.drop, now) === null,
        expiresAt: table.drop === null && !table.held && env !== null ? this.rules.expiresAt(table, env) : null,
      })),
    };
  }
}

const dueIn = ({ tables }: ModelEnvironment, now: number): ModelTable[] =>
  tables.filter(({ serial, drop, held, purged }) => {
    const waits = tables.some((inner) => inner.outer === serial && !inner.purged);
    return drop && !purged && !held && drop.purgeAfter <= now && !waits;
  });

const active = (env: ModelEnvironment, name: string): boolean =>
  env.tables.some((table) => table.drop === null && table.name === name);

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
