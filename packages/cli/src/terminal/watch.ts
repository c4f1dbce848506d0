import { boolean } from '@oclif/core/flags';
import type { Page } from '@svc/sdk';
import { EXIT, Failed } from '../exit.ts';
import type { Io } from './io.ts';

export const watchFlag = {
  watch: boolean({ char: 'w', description: 'show the list again whenever it changes, until Ctrl-C', default: false }),
};

/** Between two looks. */
const PAUSE_MS = 2000;
const CLEAR = '\u001b[2J\u001b[H';

/**
 * Shows a page again whenever its rows have changed: in place on a terminal, one after the other elsewhere.
 * @throws Failed on Ctrl-C, the one way it ends
 */
export async function watchPage<R>(
  io: Io,
  look: (signal: AbortSignal) => Promise<Page<R>>,
  show: (page: Page<R>) => Promise<void>,
): Promise<never> {
  const stop = new AbortController();
  const release = io.onInterrupt(() => stop.abort(new Error('interrupted')));
  let shown: string | undefined;
  try {
    for (;;) {
      const page = await look(stop.signal);
      // Not the cursor: that of queries carries the moment of the look.
      const rows = JSON.stringify(page.items);
      if (rows !== shown) {
        if (io.terminal) io.stdout(CLEAR);
        else if (shown !== undefined) io.stdout('\n');
        shown = rows;
        await show(page);
      }
      await io.pause(PAUSE_MS, stop.signal);
    }
  } catch (error) {
    if (stop.signal.aborted) throw new Failed('No longer watching.', EXIT.interrupted);
    throw error;
  } finally {
    release();
  }
}
