import type { QueryParams } from '@svc/core/queries';
import type { SessionStatement } from '../statements/session-statement.ts';
import type { TransactionStatus } from '../wire/server-message.ts';
import { CatalogStatements } from './catalog-statements.ts';
import { changeTypes } from './change-types.ts';
import { changeTag, done } from './executions.ts';
import { castParameters, inferredTypes, TEXT } from './parameter-casts.ts';
import { type Description, type Execution, Named, type Portal, type Prepared } from './portals.ts';
import { RowCursor, type WriteRows } from './row-output.ts';
import type { SessionOptions } from './session.ts';
import { SessionError, unsupported } from './session-error.ts';
import { SettingStatements } from './setting-statements.ts';
import { StatementRun } from './statement-run.ts';

const MAX_PREPARED = 10_000;
const MAX_PORTALS = 1_000;

type QueryStatement = Extract<SessionStatement, { kind: 'query' | 'create-table' }>;

/** Starts the statements of a session, and knows its transaction, prepared statements and portals. */
export class StatementRunner {
  readonly prepared = new Named<Prepared>('prepared statement', { missing: '26000', duplicate: '42P05' }, MAX_PREPARED);
  readonly portals = new Named<Portal>('portal', { missing: '34000', duplicate: '42P03' }, MAX_PORTALS);
  private readonly options: SessionOptions;
  private readonly settings: SettingStatements;
  private readonly catalog: CatalogStatements;
  private transaction: TransactionStatus = 'I';
  private active: StatementRun | null = null;

  constructor(options: SessionOptions) {
    this.options = options;
    this.settings = new SettingStatements(options);
    this.catalog = new CatalogStatements(options);
  }

  get status(): TransactionStatus {
    return this.transaction;
  }

  cancel(): void {
    this.active?.cancel();
  }

  /** Nothing runs that a request could cancel. */
  idle(): void {
    this.active = null;
  }

  /** A statement has failed: a transaction is aborted until it ends. */
  fail(): void {
    if (this.transaction === 'T') this.transaction = 'E';
  }

  /** At the end of a batch of messages: outside a transaction, all portals are closed that don't outlive it. */
  async sync(): Promise<void> {
    if (this.transaction === 'I') await this.closePortals(false);
  }

  async close(): Promise<void> {
    this.active?.cancel();
    await this.closePortals(true);
  }

  /** @throws SessionError, ServiceError */
  async start(
    statement: SessionStatement,
    params: QueryParams | null,
    types: readonly number[] = [],
  ): Promise<Execution> {
    this.requireUsable(statement);
    switch (statement.kind) {
      case 'empty':
        return done('');
      case 'begin':
        return this.begin(statement);
      case 'commit':
      case 'rollback':
        return this.endTransaction(statement.kind, statement.tag);
      case 'savepoint':
      case 'rollback-to':
        if (this.transaction === 'I')
          throw new SessionError('25P01', `${statement.tag} can only be used in transaction blocks`);
        if (statement.kind === 'rollback-to') this.transaction = 'T';
        return done(statement.tag);
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
      case 'query':
      case 'create-table':
        return this.query(statement, params, types);
      case 'unsupported':
        throw unsupported(`${statement.what} is not available`, statement.hint);
      case 'fetch':
      case 'copy':
        throw new Error('the protocol handles it');
    }
  }

  /** The parameters and columns of a statement, which doesn't run. @throws SessionError, ServiceError */
  async describe({ statement, declaredTypes }: Prepared): Promise<Description> {
    this.requireUsable(statement);
    const withTypes = (inferred: readonly number[], columns: Description['columns']): Description => {
      const count = Math.max(inferred.length, declaredTypes.length);
      const types = Array.from({ length: count }, (_, i) => declaredTypes[i] || (inferred[i] ?? TEXT));
      return { parameterTypes: types, columns };
    };
    if (statement.kind === 'show') return withTypes([], this.settings.columnsOf(statement.name));
    if (statement.kind === 'fetch') return withTypes([], this.portals.get(statement.name).execution?.columns ?? null);
    if (statement.kind !== 'query' && statement.kind !== 'create-table' && statement.kind !== 'declare')
      return withTypes([], null);
    if (statement.kind === 'query' && statement.changes !== null)
      return withTypes(
        await changeTypes(statement.sql, this.options, (sql) => this.running((run) => run.describe(sql))),
        null,
      );
    const described = await this.catalog.describe(statement.sql);
    if (described !== null) return withTypes(described.parameterTypes, described.columns);
    const query = await this.running((run) => run.describe(statement.sql));
    const types = inferredTypes(statement.sql, query.parameter_types ?? []).map(({ oid }) => oid);
    return withTypes(types, statement.kind === 'query' ? query.columns : null);
  }

  /** Runs work that can be cancelled. */
  async running<T>(work: (run: StatementRun) => Promise<T>): Promise<T> {
    const { client, signedIn, origin, settings, isDraining } = this.options;
    const run = new StatementRun({
      ...{ client, caller: signedIn, environment: signedIn.environment, isDraining },
      origin: { ...origin, application: settings.get('application_name') || null },
      searchPath: settings.searchPath,
      timeoutMs: settings.statementTimeoutMs,
    });
    this.active = run;
    return work(run);
  }

  /** Changes are committed at once, so they must not look like a part of a transaction that can be rolled back. */
  requireOutsideTransaction(what: string): void {
    if (this.transaction === 'I') return;
    throw new SessionError('25006', `cannot execute ${what} in a transaction: svc commits each statement on its own`, {
      hint: 'Turn on autocommit, or run the statement outside BEGIN and COMMIT.',
    });
  }

  /** Passes up to `max` rows on. Returns how many there were. */
  async read(execution: Execution, max: number, write: WriteRows): Promise<number> {
    this.active = execution.run;
    return (await execution.rows!.read(max, write)).rows;
  }

  /** @throws SessionError in a transaction that is aborted */
  requireActive(): void {
    this.requireUsable({ kind: 'empty' });
  }

  private requireUsable({ kind }: SessionStatement): void {
    if (this.transaction !== 'E' || kind === 'rollback' || kind === 'commit' || kind === 'rollback-to') return;
    throw new SessionError('25P02', 'current transaction is aborted, commands ignored until end of transaction block');
  }

  private begin({ tag, asks }: Extract<SessionStatement, { kind: 'begin' }>): Execution {
    const warnings: string[] = [];
    if (this.transaction === 'T') warnings.push('there is already a transaction in progress');
    if (asks === 'snapshot')
      warnings.push('each statement reads the versions of its tables that are current when it runs');
    this.transaction = 'T';
    return done(tag, warnings);
  }

  private async endTransaction(kind: 'commit' | 'rollback', tag: string): Promise<Execution> {
    const before = this.transaction;
    this.transaction = 'I';
    await this.closePortals(false);
    if (before === 'I') return done(tag, ['there is no transaction in progress']);
    // COMMIT of an aborted transaction rolls it back.
    return done(kind === 'commit' && before === 'E' ? 'ROLLBACK' : tag);
  }

  private async query(
    statement: QueryStatement,
    params: QueryParams | null,
    types: readonly number[],
  ): Promise<Execution> {
    const changes = statement.kind === 'create-table' ? 'CREATE TABLE AS' : statement.changes;
    const sql = castParameters(statement.sql, types);
    if (changes !== null) this.requireOutsideTransaction(changes);
    else {
      const answer = await this.catalog.answer(sql, params);
      if (answer !== null) return answer;
    }
    const into = statement.kind === 'create-table' ? `${statement.namespace}.${statement.table}` : undefined;
    const request = { sql, params, ...(into !== undefined && { into }) };
    const { run, query, batches } = await this.running(async (run) => ({ run, ...(await run.run(request)) }));
    if (changes !== null) return done(changeTag(changes, query));
    return { columns: query.columns, rows: new RowCursor(batches), run, tag: (rows) => `SELECT ${rows}`, warnings: [] };
  }

  private async declare(
    { name, sql, hold }: Extract<SessionStatement, { kind: 'declare' }>,
    params: QueryParams | null,
    types: readonly number[],
  ): Promise<Execution> {
    if (this.transaction === 'I' && !hold)
      throw new SessionError('25P01', 'DECLARE CURSOR can only be used in transaction blocks', {
        hint: 'Add WITH HOLD.',
      });
    if (this.portals.has(name)) throw new SessionError('42P03', `cursor "${name}" already exists`);
    const statement = { kind: 'query', sql, changes: null } as const;
    const execution = await this.query(statement, params, types);
    this.portals.set(name, {
      statement,
      params,
      parameterTypes: types,
      formats: [],
      hold,
      execution,
      returned: 0,
      isFinished: false,
    });
    return done('DECLARE CURSOR');
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
    const closed = this.portals.deleteWhere(({ hold }) => all || !hold);
    await Promise.all(closed.map(({ execution }) => execution?.rows?.close()));
  }
}
