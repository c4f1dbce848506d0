import { boolean } from '@oclif/core/flags';
import type { Page } from '@svc/sdk';
import { CliError, EXIT } from '../cli-error.ts';
import type { Io } from './io.ts';

export const watchFlag = {
  watch: boolean({ char: 'w', description: 'refresh the list whenever it changes, until Ctrl-C', default: false }),
};

/** Time between two polls. */
const PAUSE_MS = 2000;
const CLEAR = '\u001b[2J\u001b[H';

/**
 * Prints a page again whenever its rows change: in the same position on a terminal, otherwise one below the other.
 * @throws CliError on Ctrl-C, the only way to stop it
 */
export async function watchPage<R>(
  io: Io,
  fetchPage: (signal: AbortSignal) => Promise<Page<R>>,
  show: (page: Page<R>) => Promise<void>,
): Promise<never> {
  const stop = new AbortController();
  const release = io.onInterrupt(() => stop.abort(new Error('interrupted')));
  let visible: string | undefined;
  try {
    for (;;) {
      const page = await fetchPage(stop.signal);
      // Not the cursor: the one of queries contains the time of the request.
      const rows = JSON.stringify(page.items);
      if (rows !== visible) {
        if (io.terminal) io.stdout(CLEAR);
        else if (visible !== undefined) io.stdout('\n');
        visible = rows;
        await show(page);
      }
      await io.pause(PAUSE_MS, stop.signal);
    }
  } catch (error) {
    if (stop.signal.aborted) throw new CliError('Stopped watching.', EXIT.interrupted);
    throw error;
  } finally {
    release();
  }
}
