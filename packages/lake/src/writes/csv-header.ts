import type { CsvDialect } from '@svc/core/writes';
import { isUtf8, linesOf } from './lines-of.ts';

const MAX_ROW = 1024 * 1024;

/** The values of the first row, such as column names; null for an empty file, an error message for a malformed row. */
export async function readCsvHeader(path: string, dialect: CsvDialect): Promise<readonly string[] | string | null> {
  let text = '';
  for await (const bytes of linesOf(path)) {
    if (!isUtf8(bytes)) return "The text isn't valid UTF-8.";
    text += text === '' ? bytes.toString('utf8').replace(/^\ufeff/, '') : `\n${bytes.toString('utf8')}`;
    const values = splitRow(text.replace(/\r$/, ''), dialect);
    if (values) return values;
    if (text.length > MAX_ROW) return "The header row is too long, or a quote in it isn't closed.";
  }
  return text === '' ? null : "A quote in the header row isn't closed.";
}

/** Null if a quote is still open. */
function splitRow(text: string, { delimiter, quote }: CsvDialect): string[] | null {
  const values: string[] = [];
  let at = 0;
  for (;;) {
    const isQuoted = quote !== '' && text.startsWith(quote, at);
    const end = isQuoted ? closingQuote(text, at + 1, quote) + 1 : endOf(text, at, delimiter);
    if (end === 0 || (end < text.length && text[end] !== delimiter)) return null;
    values.push(isQuoted ? text.slice(at + 1, end - 1).replaceAll(quote + quote, quote) : text.slice(at, end));
    if (end === text.length) return values;
    at = end + 1;
  }
}

const endOf = (text: string, at: number, delimiter: string): number => {
  const found = text.indexOf(delimiter, at);
  return found === -1 ? text.length : found;
};

/** The position of the quote that closes a value; -1 without one. */
function closingQuote(text: string, from: number, quote: string): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 2))
    if (text[at + 1] !== quote) return at;
  return -1;
}
