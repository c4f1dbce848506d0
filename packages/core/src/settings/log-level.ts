import { readSettings } from './read-settings.ts';

/** The part of a program's log that changes. */
interface LeveledLog {
  level: string;
  warn(fields: object, text: string): void;
}

/**
 * Changes the log level of a running program. Reads the settings again. If their level differs from the active one
 * (because the file of `SVC_LOG__LEVEL_FILE` was changed, or `debug` was on), it becomes active; otherwise `debug`
 * does. Invalid settings change nothing.
 */
export function changeLogLevel(log: LeveledLog, ...from: Parameters<typeof readSettings>): void {
  try {
    const { logLevel } = readSettings(...from);
    log.level = logLevel === log.level ? 'debug' : logLevel;
    log.warn({ level: log.level }, 'log level changed');
  } catch (error) {
    log.warn({ err: error }, 'log level not changed: invalid settings');
  }
}
