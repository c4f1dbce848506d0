import type { QueryParams } from '@svc/core/queries';
import type { SessionStatement } from '../statements/session-statement.ts';
import { type Format, formatOf, pgTypeOf } from '../values/index.ts';
import type { ColumnDescription } from '../wire/server-message.ts';
import type { ResultColumn, RowCursor } from './row-output.ts';
import { SessionError } from './session-error.ts';
import type { StatementRun } from './statement-run.ts';

/** A statement whose execution has started: its columns (null if it returns no rows), rows, and the tag that reports it. */
export interface Execution {
  readonly columns: readonly ResultColumn[] | null;
  readonly rows: RowCursor | null;
  /** What a cancellation stops while its rows are read. */
  readonly run: StatementRun | null;
  /** @param rows the number of rows that were returned */
  readonly tag: (rows: number) => string;
  readonly warnings: readonly string[];
}

/** A statement that the client has prepared. */
export interface Prepared {
  /** Bytes of its text. */
  readonly size: number;
  readonly statement: SessionStatement;
  /** As the client declares them; 0: not declared. */
  readonly declaredTypes: readonly number[];
  /** The positions of the parameters next to an arithmetic operator, from 0. */
  readonly operands: ReadonlySet<number>;
  /** Set once the statement was described. */
  described: Description | null;
}

export interface Description {
  /** OIDs, one for each parameter. */
  readonly parameterTypes: readonly number[];
  readonly columns: readonly ResultColumn[] | null;
}

/** A prepared statement with values for its parameters, or a cursor. */
export interface Portal {
  /** Bytes of its values. */
  readonly size: number;
  readonly statement: SessionStatement;
  readonly params: QueryParams | null;
  readonly parameterTypes: readonly number[];
  readonly formats: readonly Format[];
  /** The columns that the client expects, because it has them from its prepared statement. */
  expected: readonly ResultColumn[] | null;
  /** Whether it outlives its transaction. */
  readonly isLasting: boolean;
  execution: Execution | null;
  /** Rows returned so far. */
  returned: number;
  isFinished: boolean;
}

/** Prepared statements or portals of one session, by name. The unnamed one is replaced without an error. */
export class Named<T> {
  private readonly items = new Map<string, T>();
  private readonly what: string;
  private readonly codes: { readonly missing: string; readonly duplicate: string };
  private readonly limit: { readonly count: number; readonly bytes: number };
  private readonly sizeOf: (item: T) => number;
  private bytes = 0;

  /** @param sizeOf the bytes that one takes, about */
  constructor(
    what: string,
    codes: { missing: string; duplicate: string },
    { count, bytes, sizeOf }: { count: number; bytes: number; sizeOf: (item: T) => number },
  ) {
    this.what = what;
    this.codes = codes;
    this.limit = { count, bytes };
    this.sizeOf = sizeOf;
  }

  get(name: string): T {
    const found = this.items.get(name);
    if (found !== undefined) return found;
    throw new SessionError(this.codes.missing, `${this.what} "${name}" does not exist`);
  }

  /** Returns the one that it replaces. */
  set(name: string, item: T): T | undefined {
    const existing = this.items.get(name);
    if (name !== '' && existing !== undefined)
      throw new SessionError(this.codes.duplicate, `${this.what} "${name}" already exists`);
    this.delete(name);
    const bytes = this.sizeOf(item);
    if (this.items.size >= this.limit.count || this.bytes + bytes > this.limit.bytes)
      throw new SessionError('54000', `too many ${this.what}s, or too large ones`, {
        hint: 'Close some of them first.',
      });
    this.items.set(name, item);
    this.bytes += bytes;
    return existing;
  }

  has(name: string): boolean {
    return this.items.has(name);
  }

  count(test: (item: T) => boolean): number {
    return [...this.items.values()].filter(test).length;
  }

  delete(name: string): T | undefined {
    const found = this.items.get(name);
    if (found === undefined) return undefined;
    this.items.delete(name);
    this.bytes -= this.sizeOf(found);
    return found;
  }

  /** Removes those that fit, and returns them. */
  deleteWhere(test: (item: T) => boolean): T[] {
    const removed = [...this.items].filter(([, item]) => test(item));
    for (const [name] of removed) this.delete(name);
    return removed.map(([, item]) => item);
  }
}

/**
 * The client reads the values as the prepared statement describes them, so other columns would be misread: of a table that another one
 * has replaced, or of a type that depends on the values of the parameters.
 *
 * @throws SessionError
 */
export function requireExpected(columns: readonly ResultColumn[], { expected, formats }: Portal): void {
  if (expected === null) return;
  const [described, returned] = [describeColumns(expected, formats), describeColumns(columns, formats)];
  const isSame = returned.every(({ name, oid, format }, i) => {
    const { name: before, oid: oidBefore } = described[i] ?? {};
    // The engine calls a column that is a parameter by its number.
    return (name === before || /^\$\d+$/.test(name)) && (oid === oidBefore || format === 0);
  });
  if (isSame && described.length === returned.length) return;
  throw new SessionError('0A000', 'cached plan must not change result type', {
    hint: 'Prepare the statement again, or cast its parameters.',
  });
}

export function describeColumns(columns: readonly ResultColumn[], formats: readonly Format[]): ColumnDescription[] {
  return columns.map(({ name, type }, i) => {
    const { oid, size, modifier } = pgTypeOf(type);
    return { name, oid, size, modifier, format: formatOf(formats, i) };
  });
}
