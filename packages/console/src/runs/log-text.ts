import type { LogLine } from '@svc/sdk/browser';
import { visible } from '../text/visible.ts';

/** Colors and cursor movements of terminals. */
const TERMINAL = /\u001b\[[0-9;?]{0,20}[A-Za-z]/g;

/** A line without what only terminals understand. */
export const logText = ({ line }: Pick<LogLine, 'line'>): string =>
  visible(line.replace(TERMINAL, '').replaceAll('\t', '    '));

/** The lines of a task that contain the text, whatever their case. */
export function matchingLines(lines: readonly LogLine[], task: string | undefined, text: string): readonly LogLine[] {
  const wanted = text.trim().toLowerCase();
  if (task === undefined && wanted === '') return lines;
  return lines.filter(
    ({ asset, line }) =>
      (task === undefined || asset === task) && (wanted === '' || line.toLowerCase().includes(wanted)),
  );
}
