import type { LogLine } from '@svc/sdk/browser';
import { useEffect, useState } from 'react';
import { svc } from '../service/client.ts';

/** Lines that the page keeps; the download has all of them. */
export const MAX_LINES = 100_000;

/** Between two updates of the page, however fast lines arrive. */
const UPDATE_MS = 100;

export interface LogState {
  readonly lines: readonly LogLine[];
  /** Lines that were left out because there are too many. */
  readonly omitted: number;
  readonly isComplete: boolean;
  readonly error: Error | null;
}

const NOTHING: LogState = { lines: [], omitted: 0, isComplete: false, error: null };

/** Reads the log of a run, and follows it until the run has finished. A changed `reading` reads it again. */
export function useLogLines(env: string, id: string, reading: number): LogState {
  const [state, setState] = useState(NOTHING);
  useEffect(() => {
    const stop = new AbortController();
    let lines: LogLine[] = [];
    let omitted = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const publish = (end: Pick<LogState, 'isComplete' | 'error'>) => {
      clearTimeout(timer);
      timer = undefined;
      if (lines.length > MAX_LINES) {
        omitted += lines.length - MAX_LINES;
        lines = lines.slice(-MAX_LINES);
      }
      if (!stop.signal.aborted) setState({ lines: [...lines], omitted, ...end });
    };
    const read = async () => {
      for await (const line of svc.runs.logs(env, id, { follow: true, signal: stop.signal })) {
        lines.push(line);
        timer ??= setTimeout(() => publish({ isComplete: false, error: null }), UPDATE_MS);
      }
    };
    setState(NOTHING);
    read().then(
      () => publish({ isComplete: true, error: null }),
      (error: unknown) => publish({ isComplete: false, error: error as Error }),
    );
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [env, id, reading]);
  return state;
}
