import type { LogLine, RunTask } from '@svc/sdk/browser';
import { visible } from '../text/visible.ts';

/** Colors and cursor movements of terminals. */
const TERMINAL = /\u001b\[[0-9;?]{0,20}[A-Za-z]/g;

/** A line without what only terminals understand. */
export const logText = ({ line }: Pick<LogLine, 'line'>): string =>
  visible(line.replace(TERMINAL, '').replaceAll('\t', '    '));

/** The time of an attempt, until the next one starts. */
export interface AttemptTime {
  readonly from: number;
  readonly until: number;
}

/** The time of an attempt with this number; undefined if it isn't known. */
export function attemptTime({ attempts = [] }: Pick<RunTask, 'attempts'>, number: string): AttemptTime | undefined {
  const at = attempts.findIndex((attempt) => String(attempt.number) === number);
  const start = attempts[at]?.started_at ?? null;
  const next = attempts[at + 1]?.started_at ?? null;
  if (start === null) return undefined;
  return { from: Date.parse(start), until: next === null ? Number.POSITIVE_INFINITY : Date.parse(next) };
}

interface Wanted {
  readonly task: string | undefined;
  readonly text: string;
  readonly during?: AttemptTime | undefined;
}

/** The lines of a task or an attempt that contain the text, whatever their case. */
export function matchingLines(lines: readonly LogLine[], { task, text, during }: Wanted): readonly LogLine[] {
  const wanted = text.trim().toLowerCase();
  if (task === undefined && wanted === '') return lines;
  const isDuring = (time: string) =>
    during === undefined || (Date.parse(time) >= during.from && Date.parse(time) < during.until);
  return lines.filter(
    ({ asset, line, time }) =>
      (task === undefined || (asset === task && isDuring(time))) &&
      (wanted === '' || line.toLowerCase().includes(wanted)),
  );
}
