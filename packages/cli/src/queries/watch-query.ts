import type { Query } from '@svc/sdk';
import { CliError, EXIT } from '../cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { withProgress } from '../terminal/progress.ts';

/** Aborted by Ctrl-C; `onProgress` gets the records of the query. */
export interface QueryWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (query: Query) => void;
}

/** Shows the progress of a query that `run` submits and waits for. If the signal is aborted, `run` cancels it. */
export async function watchQuery(io: Io, run: (watch: QueryWatch) => Promise<Query>): Promise<Query> {
  const controller = new AbortController();
  const { signal } = controller;
  const release = io.onInterrupt(() => controller.abort(new Error('interrupted')));
  let at: Query | undefined;
  const onProgress = (query: Query) => {
    at = query;
  };
  try {
    const describe = () => (at === undefined ? 'Submitting' : describeProgress(at));
    return await withProgress(io, describe, () => run({ signal, onProgress }));
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CliError(`Interrupted: the query ${at === undefined ? '' : `${at.id} `}is cancelled.`, EXIT.interrupted);
  } finally {
    release();
  }
}

const describeProgress = ({ status, progress }: Query) =>
  status === 'QUEUED' ? 'Queued' : `Running${progress === null ? '' : `, ${Math.round(progress * 100)} %`}`;
