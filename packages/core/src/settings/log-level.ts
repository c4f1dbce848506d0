import { readSettings } from './read-settings.ts';

/** What of a program's log changes. */
interface Levelled {
  level: string;
  warn(said: object, text: string): void;
}

/**
 * Changes the level of a running program's log: to the one of its settings, read anew, where that is another than is in
 * force (the file of `SVC_LOG__LEVEL_FILE` was changed, or `debug` has been on); else to `debug`. Settings that cannot be
 * read change nothing.
 */
export function changeLogLevel(log: Levelled, ...from: Parameters<typeof readSettings>): void {
  try {
    const { logLevel } = readSettings(...from);
    log.level = logLevel === log.level ? 'debug' : logLevel;
    log.warn({ level: log.level }, 'log level changed');
  } catch (error) {
    log.warn({ err: error }, 'the log level stays');
  }
}
