import type { FindLine, ReadLine } from './copy-data.ts';
import type { CopyOptions } from './copy-options.ts';

const [BACKSLASH, NEWLINE, CR, LOWER_X] = [92, 10, 13, 120];

/** Lines of the text format: a line feed after a backslash is a part of a value. */
export function textLines(): FindLine {
  return (bytes, start) => {
    for (let at = bytes.indexOf(NEWLINE, start); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
      let slash = at - 1;
      while (slash >= start && bytes[slash] === BACKSLASH) slash--;
      if ((at - 1 - slash) % 2 === 0) return at;
    }
    return null;
  };
}

/** Reads the fields of a line in text format. */
export function readTextLine({ delimiter: separator, nullText }: CopyOptions): ReadLine {
  const delimiter = separator.charCodeAt(0);
  const none = Buffer.from(nullText);
  return (line, { add, addNull, malformed }) => {
    if (line.includes(CR)) throw malformed(String.raw`literal carriage return found in data: use \r`);
    const hasEscapes = line.includes(BACKSLASH);
    for (let start = 0; start <= line.length; ) {
      const end = endOfField(line, start, delimiter);
      if (end - start === none.length && line.compare(none, 0, none.length, start, end) === 0) addNull();
      else if (hasEscapes) {
        const value = unescaped(line.subarray(start, end));
        add(value, 0, value.length);
      } else add(line, start, end);
      start = end + 1;
    }
  };
}

function endOfField(line: Buffer, start: number, delimiter: number): number {
  let end = start;
  for (; end < line.length && line[end] !== delimiter; end++) if (line[end] === BACKSLASH) end++;
  return Math.min(end, line.length);
}

const LETTERS: ReadonlyMap<number, number> = new Map(
  ['b\b', 'f\f', 'n\n', 'r\r', 't\t', 'v\v'].map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]),
);

function unescaped(field: Buffer): Buffer {
  const value = Buffer.allocUnsafe(field.length);
  let to = 0;
  for (let at = 0; at < field.length; at++) {
    if (field[at] !== BACKSLASH || at + 1 === field.length) {
      value[to++] = field[at]!;
      continue;
    }
    const { byte, length } = escapeAt(field, at + 1);
    value[to++] = byte;
    at += length;
  }
  return value.subarray(0, to);
}

/** The byte that is meant by the characters after a backslash, and how many they are. */
function escapeAt(field: Buffer, at: number): { byte: number; length: number } {
  const code = field[at]!;
  const octal = /^[0-7]{1,3}/.exec(field.toString('latin1', at, at + 3))?.[0];
  if (octal !== undefined) return { byte: Number.parseInt(octal, 8) & 255, length: octal.length };
  if (code === LOWER_X) {
    const hex = /^[0-9a-f]{1,2}/i.exec(field.toString('latin1', at + 1, at + 3))?.[0];
    if (hex !== undefined) return { byte: Number.parseInt(hex, 16), length: 1 + hex.length };
  }
  return { byte: LETTERS.get(code) ?? code, length: 1 };
}
