import type { Failure } from '@svc/core/errors';

export interface PythonTask {
  readonly asset: string;
  readonly kind: 'table' | 'artifact';
  readonly file: string;
  readonly function: string;
  readonly runId: string;
  readonly environment: string;
  /** URL of this service and the token that the worker created for this task. */
  readonly url: string;
  readonly token: string;
  /** Largest value of the watermark column so far and the column's type, for an incremental asset. */
  readonly watermark?: Watermark | null;
  /** Whether there are no earlier builds to continue from (default: yes). */
  readonly isFirstRun?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onLine: (stream: 'stdout' | 'stderr', line: string) => void;
  /** The trace that the task continues (W3C Trace Context). */
  readonly traceparent?: string | null;
}

export interface Watermark {
  readonly text: string;
  /** Null if the table no longer has this column. */
  readonly type: string | null;
}

export type PythonTaskResult =
  | {
      readonly status: 'succeeded';
      readonly kind: 'table';
      /** Absolute path of the rows. */
      readonly file: string;
      readonly format: 'parquet' | 'ndjson';
      readonly rows: number;
      /** Column types for rows written as NDJSON; null if the file contains its own. */
      readonly columns: readonly { readonly name: string; readonly type: string }[] | null;
    }
  | {
      readonly status: 'succeeded';
      readonly kind: 'artifact';
      readonly file: string;
      /** The file name that the function chose, without folders. */
      readonly name: string;
      readonly bytes: number;
    }
  | {
      readonly status: 'failed' | 'cancelled';
      readonly failure: Failure;
    };
