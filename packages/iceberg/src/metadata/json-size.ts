import { UnsupportedTableError } from '../errors/table-errors.ts';

/** What a JSON text may have: values, and levels of lists and objects within each other. */
export interface JsonLimits {
  readonly values: number;
  readonly levels: number;
}

/** Limits of a metadata file. Each value takes up to a hundred bytes of memory, however short its text is. */
export const METADATA_LIMITS: JsonLimits = { values: 10_000_000, levels: 200 };

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** @throws UnsupportedTableError for a metadata file that exceeds the limits */
export function requireModestJson(text: Uint8Array): void {
  const exceeded = exceededLimit(text, METADATA_LIMITS);
  if (exceeded === 'values')
    throw new UnsupportedTableError(`The metadata file has more than ${METADATA_LIMITS.values} values.`);
  if (exceeded === 'levels')
    throw new UnsupportedTableError(`The metadata file is nested more than ${METADATA_LIMITS.levels} levels deep.`);
}

/** The limit that a JSON text exceeds, found without parsing it; null if it exceeds none. */
export function exceededLimit(text: Uint8Array, limits: JsonLimits): keyof JsonLimits | null {
  let [values, levels] = [1, 0];
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case QUOTE:
        at = endOfString(text, at + 1);
        break;
      case COMMA:
        values += 1;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        values += 1;
        levels += 1;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        levels -= 1;
        break;
      default:
    }
    if (values > limits.values) return 'values';
    if (levels > limits.levels) return 'levels';
  }
  return null;
}

/** The position of the quote that ends a string; the length of an unfinished text, or one more. */
function endOfString(text: Uint8Array, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
}
