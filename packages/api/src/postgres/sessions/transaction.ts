import type { SessionStatement } from '../statements/session-statement.ts';
import type { TransactionStatus } from '../wire/server-message.ts';
import { done } from './executions.ts';
import type { Execution } from './portals.ts';
import { SessionError } from './session-error.ts';

type Statement<K extends SessionStatement['kind']> = Extract<SessionStatement, { kind: K }>;

/** The statements that an aborted transaction accepts. */
const FINISHING: ReadonlySet<SessionStatement['kind']> = new Set(['commit', 'rollback', 'rollback-to']);

/**
 * The transaction of a session. It groups statements for clients that expect one, but each statement is committed on its own
 * (POSTGRES-10).
 */
export class Transaction {
  private state: TransactionStatus = 'I';

  get status(): TransactionStatus {
    return this.state;
  }

  get isOpen(): boolean {
    return this.state !== 'I';
  }

  start({ tag, isSnapshot }: Statement<'start-transaction'>): Execution {
    const warnings: string[] = [];
    if (this.isOpen) warnings.push('there is already a transaction in progress');
    if (isSnapshot) warnings.push('each statement reads the versions of its tables that are current when it runs');
    this.state = 'T';
    return done(tag, warnings);
  }

  /** COMMIT of an aborted transaction rolls it back. */
  finish({ kind, tag }: Statement<'commit' | 'rollback'>): Execution {
    const before = this.state;
    this.state = 'I';
    if (before === 'I') return done(tag, ['there is no transaction in progress']);
    return done(kind === 'commit' && before === 'E' ? 'ROLLBACK' : tag);
  }

  /** @throws SessionError outside a transaction */
  savepoint({ kind, tag }: Statement<'savepoint' | 'rollback-to'>): Execution {
    if (!this.isOpen) throw new SessionError('25P01', `${tag} can only be used in transaction blocks`);
    if (kind === 'rollback-to') this.state = 'T';
    return done(tag);
  }

  /** After an error, statements are refused until the transaction finishes. */
  fail(): void {
    if (this.state === 'T') this.state = 'E';
  }

  /** @throws SessionError if the transaction is aborted */
  requireUsable(kind?: SessionStatement['kind']): void {
    if (this.state !== 'E' || (kind !== undefined && FINISHING.has(kind))) return;
    throw new SessionError('25P02', 'current transaction is aborted, commands ignored until end of transaction block');
  }

  /** For changes, which nothing could roll back. @throws SessionError */
  requireNone(what: string): void {
    if (!this.isOpen) return;
    throw new SessionError('25006', `cannot execute ${what} in a transaction: svc commits each statement on its own`, {
      hint: 'Turn on autocommit, or run the statement outside BEGIN and COMMIT.',
    });
  }
}
