import { CliError, EXIT } from '../cli-error.ts';
import { stateOfFolder } from '../project-folder/pack-folder.ts';
import { reportError } from '../report-error.ts';
import type { CommandContext } from '../svc-command.ts';

/** Time between two looks at the folder. */
const PAUSE_MS = 500;

/**
 * Acts at once and then whenever a project file changes. Errors are printed, and the next change is awaited.
 *
 * @throws CliError on Ctrl-C, the only way to stop it
 */
export async function onEachChange(
  command: Pick<CommandContext, 'io' | 'json' | 'note'>,
  folder: string,
  act: () => Promise<void>,
): Promise<never> {
  const { io, json } = command;
  const stop = new AbortController();
  const release = io.onInterrupt(() => stop.abort(new Error('interrupted')));
  try {
    for (;;) {
      // Read first, so that a change during the work isn't missed.
      const built = await stateOfFolder(folder);
      await act().catch((error: unknown) => {
        if (error instanceof CliError && error.exitCode === EXIT.interrupted) throw error;
        reportError(error, io, json);
      });
      command.note('Waiting for changes. Ctrl-C stops.');
      do await io.pause(PAUSE_MS, stop.signal);
      while ((await stateOfFolder(folder)) === built);
    }
  } catch (error) {
    // The work that was interrupted says what continues.
    if (stop.signal.aborted && !(error instanceof CliError)) throw new CliError('Stopped watching.', EXIT.interrupted);
    throw error;
  } finally {
    release();
  }
}
