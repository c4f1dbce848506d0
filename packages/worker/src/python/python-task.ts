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
  /** For an asset that works with Spark. */
  readonly spark?: SparkTask | undefined;
}

export interface TaskColumn {
  readonly name: string;
  readonly type: string;
}

/** The Spark Connect server of a task. */
export interface SparkTask {
  readonly server: SparkServer;
  /** The address of the catalog, as Spark reaches it. */
  readonly catalog: string;
  /** Text that no line of the task contains by chance: with it, the task announces the DataFrame that its function returned. */
  readonly marker: string;
  /** Resolves to the name of the table into which Spark writes a DataFrame with these columns; absent if the asset has no rows. */
  readonly stage?: ((columns: readonly TaskColumn[]) => Promise<string>) | undefined;
}

export interface SparkServer {
  /** As Spark's clients write it. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
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
      readonly columns: readonly (TaskColumn & { readonly untyped?: true | undefined })[] | null;
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
      /** Spark has written the rows to the table that it got. */
      readonly status: 'succeeded';
      readonly kind: 'staged';
    }
  | {
      readonly status: 'failed' | 'cancelled';
      readonly failure: Failure;
    };
