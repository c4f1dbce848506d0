import type { CsvDialect } from '@svc/core/writes';
import type { EngineColumn } from './engine-types.ts';
/** The messages between parent and child over the IPC channel (structured clone: Buffers and bigints pass). */

import type { TruncationScan } from '../../writes/nanoseconds.ts';
import type { FormScan } from '../../writes/scan-csv.ts';
import type { LineSplit, SplitRequest } from '../../writes/split-lines.ts';
import type { RejectedFiles } from '../../writes/write-rejected.ts';
import type { DeletedPosition } from '../relations/deleted-positions.ts';
import type { ViewNames } from '../relations/relations.ts';
import type { ResultColumn } from '../results/result-columns.ts';
import type { GuardFailure } from '../statement/guard-error.ts';
import type { PolicyExpression, PolicyFailure } from '../statement/policy-expression.ts';
import type { Dialect } from '../statement/postgres/rewriter.ts';
import type { ReadStatement, StatementParams } from '../statement/read-statement.ts';

/** A file written by COPY, with its statistics as text. */
export type CopiedFile = {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  readonly columns: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/** A result within these limits is returned as rows. */
export type InlineLimits = { readonly rows: number; readonly bytes: number };

/** The result of a query. `cells` use the JSON form of results, or null if the result exceeds the limits. */
export type ChildResult = {
  readonly columns: readonly ResultColumn[];
  readonly rows: number;
  /** Size of the file, or null if the cells are complete and no file was written. */
  readonly bytes: number | null;
  readonly cells: readonly (readonly unknown[])[] | null;
};

/** The engine that was active is retained under a number, retained as the fresh engine, or (null) closed. */
export type SetAside = number | 'fresh' | null;

export type DisabledOptimizers = 'shape' | 'statistics';

export type ChildRequest =
  | { readonly op: 'run'; readonly statements: readonly string[] }
  /** Settings that end with the lock, as one text. After a failure every request except `renew` is rejected. */
  | { readonly op: 'confine'; readonly settings: string }
  /** Reads the schemas of local Parquet files in a separate engine, which is confined to them first. */
  | { readonly op: 'layouts'; readonly paths: readonly string[] }
  /**
   * Disables optimizations: those that change the shape of plans, so that they can be translated for another engine, or those that
   * depend on the statistics of tables.
   */
  | { readonly op: 'disable-optimizers'; readonly which: DisabledOptimizers }
  /** Makes a fresh engine the active one. */
  | { readonly op: 'renew'; readonly setAside: SetAside }
  /** Makes an engine that was set aside the active one again. */
  | { readonly op: 'use'; readonly engine: number; readonly setAside: SetAside }
  /** Closes an engine that was set aside. */
  | { readonly op: 'forget'; readonly engine: number }
  | { readonly op: 'positions'; readonly vectors: readonly DeletedPosition[] }
  /** `view`: the statement is the text of this view. `params`: the values of its parameters. `dialect`: its syntax. */
  | {
      readonly op: 'read';
      readonly sql: string;
      readonly view?: ViewNames;
      readonly params?: StatementParams;
      readonly dialect?: Dialect;
    }
  | { readonly op: 'read-policy'; readonly text: string }
  | { readonly op: 'describe'; readonly sql: string }
  /** Describes a query whose parameters have no values. */
  | { readonly op: 'describe-unbound'; readonly sql: string }
  | { readonly op: 'copy'; readonly sql: string }
  /** `isSmall`: the result is expected to fit the inline row limit, so a file may not be needed. */
  | {
      readonly op: 'result';
      readonly sql: string;
      readonly file: string;
      readonly inline: InlineLimits;
      readonly isSmall: boolean;
    }
  | { readonly op: 'texts'; readonly sql: string }
  | { readonly op: 'csv-header'; readonly path: string; readonly dialect: CsvDialect }
  /** The first timestamp of a Parquet file that microsecond precision would truncate. */
  | { readonly op: 'cut-timestamp'; readonly path: string }
  | {
      readonly op: 'scan-csv';
      readonly path: string;
      readonly columns: number;
      readonly record: number | null;
      readonly dialect: CsvDialect;
    }
  /** Copies the lines of files that have the right form, with their numbers, and collects the others. */
  | ({ readonly op: 'split-lines' } & SplitRequest)
  /** Writes the file with the lines that a load leaves out. */
  | ({ readonly op: 'write-rejected' } & RejectedFiles)
  | { readonly op: 'scan-ndjson'; readonly path: string; readonly record: string | null };

export type ChildResults = {
  readonly run: null;
  readonly confine: null;
  readonly 'disable-optimizers': null;
  readonly layouts: readonly (readonly (string | null)[])[];
  /** What is wrong with one of the deletion vectors, as the end of a sentence; null once all are loaded. */
  readonly positions: string | null;
  readonly renew: null;
  readonly use: null;
  readonly forget: null;
  readonly read: ReadStatement | GuardFailure;
  readonly 'read-policy': PolicyExpression | PolicyFailure;
  readonly describe: readonly EngineColumn[];
  readonly 'describe-unbound': {
    readonly columns: readonly EngineColumn[];
    readonly parameterTypes: readonly string[];
  };
  readonly copy: readonly CopiedFile[];
  readonly result: ChildResult;
  readonly texts: readonly (readonly (string | null)[])[];
  readonly 'csv-header': readonly string[] | string | null;
  readonly 'cut-timestamp': TruncationScan | null;
  readonly 'scan-csv': FormScan;
  readonly 'scan-ndjson': FormScan;
  readonly 'split-lines': LineSplit;
  readonly 'write-rejected': null;
};

export type ToChild = { readonly id: number; readonly request: ChildRequest };

/** `rss`: bytes of memory that the process uses. */
export type FromChild =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly percentage: number; readonly rss: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown; readonly rss: number }
  /** `statement`: for `run`, the index of the failed statement. */
  | {
      readonly kind: 'error';
      readonly id: number;
      readonly message: string;
      readonly rss: number;
      readonly statement?: number;
    };
