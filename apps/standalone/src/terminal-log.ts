import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Settings } from '@svc/core/settings';
import { type DestinationStream, pino } from 'pino';

/** The file of the log of a service that doesn't write it to its output. */
export const logFileOf = (settings: Pick<Settings, 'home'>): string => join(resolve(settings.home), 'service.log');

/** Levels of the log that a person at the terminal sees. */
const WARNING = 40;
const ERROR = 50;
const LEVEL = /^\{"level":(\d+)/;
const CONTROL = /\p{Cc}/gu;

/** Writes every line to the log file, and warnings and errors as text to `show`. While the service stops, only errors. */
export function terminalLog(
  settings: Pick<Settings, 'home'>,
  { show, isStopping }: { show: (text: string) => void; isStopping: () => boolean },
): DestinationStream {
  const file = logFileOf(settings);
  mkdirSync(resolve(settings.home), { recursive: true });
  const log = pino.destination({ dest: file, append: true, mode: 0o600, sync: true });
  // A full disk must not stop the service.
  log.on('error', (error: Error) => show(`error: the log ${file} can't be written: ${error.message}\n`));
  return {
    write: (line) => {
      log.write(line);
      const level = Number(LEVEL.exec(line)?.[1] ?? 0);
      if (level >= (isStopping() ? ERROR : WARNING)) show(`${asText(line)}\n`);
    },
  };
}

function asText(line: string): string {
  const { level, msg = '', err } = JSON.parse(line) as { level: number; msg?: string; err?: { message?: string } };
  const cause = err?.message === undefined || msg.includes(err.message) ? '' : `: ${err.message}`;
  const text = `${level >= ERROR ? 'error' : 'warning'}: ${msg}${cause}`;
  return text.replace(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
