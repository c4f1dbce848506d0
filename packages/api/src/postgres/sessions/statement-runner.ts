import type { QueryParams } from '@svc/core/queries';
import { parseRead } from '../statements/parse-statement.ts';
import type { SessionStatement } from '../statements/session-statement.ts';
import { changeTypes } from './change-types.ts';
import { done } from './executions.ts';
import { knownTypes, TEXT } from './parameter-casts.ts';
import { PLAN_COLUMNS } from './plan-text.ts';
import { type Description, type Execution, Named, type Portal, type Prepared } from './portals.ts';
import { changesOf, type QueryStatement, QueryStatements } from './query-statements.ts';
import { withExactConstants } from './quoted-constants.ts';
import { isRejection, SessionError, unsupported } from './session-error.ts';
import type { SessionOptions } from './session-options.ts';
import { reportChanges } from './setting-changes.ts';
import { SettingStatements } from './setting-statements.ts';
import { hasNamespace, newTableName, readable, withFullName } from './table-columns.ts';
import { Transaction } from './transaction.ts';

/** Of one session. */
const PREPARED = { count: 10_000, bytes: 16 * 1024 * 1024, sizeOf: ({ size }: Prepared) => size };
const PORTALS = { count: 1_000, bytes: 64 * 1024 * 1024, sizeOf: ({ size }: Portal) => size };

/** Portals of one session whose rows wait for the client: each keeps up to a page of them in memory. */
const MAX_WAITING = 50;

/** Starts the statements of a session, and knows its transaction, prepared statements and portals. */
export class StatementRunner {
  readonly prepared = new Named<Prepared>('prepared statement', { missing: '26000', duplicate: '42P05' }, PREPARED);
  readonly portals = new Named<Portal>('portal', { missing: '34000', duplicate: '42P03' }, PORTALS);
  readonly transaction = new Transaction();
  readonly queries: QueryStatements;
  private readonly options: SessionOptions;
  private readonly settings: SettingStatements;

  constructor(options: SessionOptions) {
    this.options = options;
    this.queries = new QueryStatements(options);
    this.settings = new SettingStatements(options);
  }

  /** At the end of a batch of messages: outside a transaction, all portals are closed that don't outlive it. */
  async sync(): Promise<void> {
    if (!this.transaction.isOpen) await this.closePortals(false);
  }

  async close(): Promise<void> {
    this.queries.cancel();
    await this.closePortals(true);
  }

  /** @throws SessionError, ServiceError */
  async start(
    statement: SessionStatement,
    params: QueryParams | null,
    types: readonly number[] = [],
  ): Promise<Execution> {
    this.transaction.requireUsable(statement.kind);
    switch (statement.kind) {
      case 'empty':
        return done('');
      case 'start-transaction':
        this.options.settings.startTransaction();
        return this.transaction.start(statement);
      case 'commit':
      case 'rollback':
        await this.closePortals(false);
        this.finishSettings({ isCommitted: statement.kind === 'commit' && this.transaction.status !== 'E' });
        return this.transaction.finish(statement);
      case 'savepoint':
      case 'rollback-to':
        return this.transaction.savepoint(statement);
      case 'set':
      case 'reset':
      case 'show':
      case 'discard':
        if (statement.kind === 'discard') await this.discard();
        return this.settings.start(statement);
      case 'deallocate':
        return this.deallocate(statement.name);
      case 'declare':
        return this.declare(statement, params, types);
      case 'close':
        return this.closeCursor(statement.name);
      case 'create-table':
        return this.createTable(statement, params, types);
      case 'query':
        this.requireAllowed(changesOf(statement));
        return this.queries.start(await this.exact(await this.withFullName(statement), types), params, types);
      case 'explain':
        return this.queries.explain(statement.sql, params, types);
      case 'create-missing':
        return this.createMissing(statement);
      case 'unsupported':
        throw unsupported(`${statement.what} is not available`, statement.hint);
      case 'fetch':
      case 'copy':
        throw new Error('the protocol handles it');
    }
  }

  /** The parameters and columns of a statement, which doesn't run. @throws SessionError, ServiceError */
  async describe(prepared: Prepared): Promise<Description> {
    this.transaction.requireUsable();
    const known = knownTypes(prepared);
    try {
      return await this.describeAs(prepared.statement, known);
    } catch (error) {
      if (prepared.operands.size === 0 || !isRejection(error)) throw error;
      // An operand may be an interval or the position in an array, which can't be decimals.
      return this.describeAs(prepared.statement, prepared.declaredTypes);
    }
  }

  private async describeAs(statement: SessionStatement, known: readonly number[]): Promise<Description> {
    const { parameterTypes: inferred, columns } = await this.descriptionOf(statement, known);
    const count = Math.max(inferred.length, known.length);
    const parameterTypes = Array.from({ length: count }, (_, i) => known[i] || (inferred[i] ?? TEXT));
    return { parameterTypes, columns };
  }

  private async descriptionOf(statement: SessionStatement, types: readonly number[]): Promise<Description> {
    switch (statement.kind) {
      case 'show':
        return { parameterTypes: [], columns: this.settings.columnsOf(statement.name) };
      case 'fetch':
        return { parameterTypes: [], columns: this.portals.get(statement.name).execution?.columns ?? null };
      case 'query':
        if (statement.changes === null) return this.queries.describe(statement.sql, types);
        return { parameterTypes: await this.changeTypes((await this.withFullName(statement)).sql), columns: null };
      case 'explain':
        return { ...(await this.queries.describe(statement.sql, types)), columns: PLAN_COLUMNS };
      case 'create-table':
      case 'declare':
        return { ...(await this.queries.describe(statement.sql, types)), columns: null };
      default:
        return { parameterTypes: [], columns: null };
    }
  }

  private async createTable(
    statement: Extract<SessionStatement, { kind: 'create-table' }>,
    params: QueryParams | null,
    types: readonly number[],
  ): Promise<Execution> {
    const changes = changesOf(statement)!;
    this.requireAllowed(changes);
    const name = await newTableName(this.options, statement.name);
    const into = name.join('.');
    if (statement.ifNotExists && (await readable(this.options, [name])) !== null)
      return done(changes, [`The table ${into} already exists.`]);
    return this.queries.start({ ...(await this.exact(statement, types)), into }, params, types);
  }

  private async createMissing({
    what,
    name,
    hint,
  }: Extract<SessionStatement, { kind: 'create-missing' }>): Promise<Execution> {
    const exists = await (what === 'CREATE SCHEMA'
      ? hasNamespace(this.options, name)
      : newTableName(this.options, name).then(async (table) => (await readable(this.options, [table])) !== null));
    if (!exists) throw unsupported(`${what} is not available`, hint);
    return done(what, [`${name.join('.')} already exists.`]);
  }

  private async withFullName<S extends QueryStatement>(statement: S): Promise<S> {
    if (statement.kind === 'create-table' || statement.changes === null) return statement;
    return { ...statement, sql: await withFullName(this.options, statement.sql) };
  }

  private async exact<S extends QueryStatement>(statement: S, types: readonly number[]): Promise<S> {
    const describe = (text: string) => this.describeAs({ ...statement, sql: text }, types);
    const isChange = statement.kind === 'query' && statement.changes !== null;
    const sql = await withExactConstants(statement.sql, { describe, isChange });
    return { ...statement, sql };
  }

  private changeTypes(sql: string): Promise<number[]> {
    return changeTypes(sql, this.options, (query) => this.queries.describe(query, []));
  }

  /** Ends the values of settings that don't outlive the transaction. */
  finishSettings(outcome: { isCommitted: boolean }): void {
    const { settings, sink } = this.options;
    reportChanges(sink, settings.finishTransaction(outcome));
  }

  /** @param changes what changes rows or tables, if anything does. @throws SessionError if that isn't possible now */
  requireAllowed(changes: string | null): void {
    if (changes === null) return;
    if (this.options.settings.isReadOnly)
      throw new SessionError('25006', `cannot execute ${changes} in a read-only transaction`, {
        hint: 'Set default_transaction_read_only to off.',
      });
    this.transaction.requireNone(changes);
  }

  private async declare(
    { name, sql, isLasting }: Extract<SessionStatement, { kind: 'declare' }>,
    params: QueryParams | null,
    types: readonly number[],
  ): Promise<Execution> {
    if (!this.transaction.isOpen && !isLasting)
      throw new SessionError('25P01', 'DECLARE CURSOR can only be used in transaction blocks', {
        hint: 'Add WITH HOLD.',
      });
    if (this.portals.has(name)) throw new SessionError('42P03', `cursor "${name}" already exists`);
    const statement = parseRead(sql);
    this.requireFewWaiting();
    const execution = await this.queries.start(await this.exact(statement, types), params, types);
    this.portals.set(name, {
      size: sql.length,
      statement,
      params,
      parameterTypes: types,
      formats: [],
      expected: null,
      isLasting,
      execution,
      returned: 0,
      isFinished: false,
    });
    return done('DECLARE CURSOR');
  }

  /** Before a portal or a cursor starts. @throws SessionError */
  requireFewWaiting(): void {
    if (this.portals.count(({ execution }) => execution?.rows?.isOver === false) < MAX_WAITING) return;
    throw new SessionError('54000', 'too many open portals', {
      hint: 'Read all of their rows, or close some of them.',
    });
  }

  private async closeCursor(name: string | null): Promise<Execution> {
    if (name === null) await this.closePortals(true);
    else {
      const portal = this.portals.get(name);
      this.portals.delete(name);
      await portal.execution?.rows?.close();
    }
    return done(name === null ? 'CLOSE CURSOR ALL' : 'CLOSE CURSOR');
  }

  private deallocate(name: string | null): Execution {
    if (name === null) this.prepared.deleteWhere(() => true);
    else {
      this.prepared.get(name);
      this.prepared.delete(name);
    }
    return done(name === null ? 'DEALLOCATE ALL' : 'DEALLOCATE');
  }

  private async discard(): Promise<void> {
    this.prepared.deleteWhere(() => true);
    await this.closePortals(true);
  }

  private async closePortals(all: boolean): Promise<void> {
    const closed = this.portals.deleteWhere(({ isLasting }) => all || !isLasting);
    await Promise.all(closed.map(({ execution }) => execution?.rows?.close()));
  }
}
