import { isUtf8, linesOf } from './lines-of.ts';
import type { FormScan } from './scan-csv.ts';

/**
 * Reads the file again, slowly, to report what the engine can't: the line of the first malformed JSON value, or the
 * first line equal to `record`. (The engine's JSON reader doesn't preserve the order of lines, so a line number
 * wouldn't help.)
 */
export async function scanNdjson(path: string, record: string | null): Promise<FormScan> {
  let line = 0;
  for await (const bytes of linesOf(path)) {
    line += 1;
    const text = bytes
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trim();
    if (text === '') continue;
    if (record !== null) {
      if (text === record.trim()) return { problem: null, recordLine: line };
      continue;
    }
    const message = isUtf8(bytes) ? jsonProblem(text) : "The text isn't valid UTF-8.";
    if (message) return { problem: { line, message }, recordLine: null };
  }
  return { problem: null, recordLine: null };
}

/** An escape sequence that may encode half of a surrogate pair. */
const HALF = /\\ud[89a-f]/i;

/** Whether all texts in a JSON value are well-formed. */
function isWhole(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWhole(inner));
}

export function jsonProblem(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    if (HALF.test(text) && !isWhole(value))
      return 'A string in the line contains half of a character (a lone surrogate such as \\ud800).';
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return null;
    return 'Each line must be one JSON object.';
  } catch {
    return "The line isn't valid JSON.";
  }
}
