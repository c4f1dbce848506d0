import { UnsupportedTableError } from '../errors/table-errors.ts';

/** Values of a document. Each takes up to a hundred bytes of memory, however short its text is. */
const MAX_VALUES = 10_000_000;
const MAX_DEPTH = 200;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Checks how many values a JSON text has and how deeply they are nested, without parsing it.
 *
 * @throws UnsupportedTableError
 */
export function requireModestJson(text: Uint8Array, limits: { values: number } = { values: MAX_VALUES }): void {
  let [values, depth] = [1, 0];
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
        depth += 1;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      default:
    }
    if (values > limits.values)
      throw new UnsupportedTableError(`The metadata file has more than ${limits.values} values.`);
    if (depth > MAX_DEPTH)
      throw new UnsupportedTableError(`The metadata file is nested more than ${MAX_DEPTH} levels deep.`);
  }
}

/** The position of the quote that ends a string; the length of an unfinished text. */
function endOfString(text: Uint8Array, start: number): number {
  for (let at = text.indexOf(QUOTE, start); at !== -1; at = text.indexOf(QUOTE, at + 1)) {
    let before = at - 1;
    while (before >= start && text[before] === BACKSLASH) before -= 1;
    // An even number of backslashes escapes only backslashes.
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}
