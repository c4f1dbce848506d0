import type { CsvDialect } from '@svc/core/writes';
import { malformed } from './load-errors.ts';

type Encoding = CsvDialect['encoding'];

const UTF_16_LE = Buffer.from([0xff, 0xfe]);
const UTF_16_BE = Buffer.from([0xfe, 0xff]);

/** The encoding that a byte order mark shows, if a file isn't UTF-8. */
export const markedEncoding = (start: Buffer): Encoding | null =>
  [UTF_16_LE, UTF_16_BE].some((mark) => start.subarray(0, 2).equals(mark)) ? 'utf-16' : null;

/** Converts text to UTF-8. @throws LoadRejectedError with the line that isn't valid in the encoding */
export async function* toUtf8(
  pieces: AsyncIterable<Buffer>,
  encoding: Exclude<Encoding, 'utf-8'>,
): AsyncGenerator<Buffer> {
  const decode = encoding === 'utf-16' ? utf16() : encoding === 'latin-1' ? latin1 : windows1252;
  let line = 1;
  for await (const piece of withEnd(pieces)) {
    const { text, invalidAt } = decode(piece);
    const valid = invalidAt === -1 ? text : text.slice(0, invalidAt);
    for (let at = valid.indexOf('\n'); at !== -1; at = valid.indexOf('\n', at + 1)) line += 1;
    if (invalidAt !== -1) throw malformed(`The text isn't valid ${encoding}.`, line);
    if (text !== '') yield Buffer.from(text);
  }
}

/** The pieces and then null. */
async function* withEnd(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  yield* pieces;
  yield null;
}

/** Decodes the next piece, or what is left at the end (null). `invalidAt` is -1 for valid text. */
type Decode = (piece: Buffer | null) => { text: string; invalidAt: number };

const CONTROL = /[\u0080-\u009f]/;
const CONTROLS = /[\u0080-\u009f]/g;

/** Programs on Windows call their own encoding latin-1, so the bytes that differ are invalid. */
const latin1: Decode = (piece) => {
  const text = piece?.toString('latin1') ?? '';
  return { text, invalidAt: text.search(CONTROL) };
};

const FIRST_CONTROL = 0x80;
/** The characters for 0x80 to 0x9f, which are control characters in latin-1. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const windows1252: Decode = (piece) => {
  const text = (piece?.toString('latin1') ?? '').replace(
    CONTROLS,
    (control) => WINDOWS[control.charCodeAt(0) - FIRST_CONTROL]!,
  );
  return { text, invalidAt: -1 };
};

/** Each decoder continues after the previous piece, possibly inside a character. */
function utf16(): Decode {
  let rest: Buffer = Buffer.alloc(0);
  let isBigEndian: boolean | null = null;
  return (piece) => {
    const data = piece === null ? rest : Buffer.concat([rest, piece]);
    if (piece !== null && data.length < 4) {
      rest = data;
      return { text: '', invalidAt: -1 };
    }
    const isFirst = isBigEndian === null;
    isBigEndian ??= data.subarray(0, 2).equals(UTF_16_BE);
    const units = data.subarray(0, data.length - (data.length % 2));
    let text = (isBigEndian ? Buffer.from(units).swap16() : units).toString('utf16le');
    if (piece !== null && endsInsidePair(text)) text = text.slice(0, -1);
    rest = data.subarray(text.length * 2);
    if (isFirst) text = text.replace(/^\ufeff/, '');
    if (piece === null && rest.length > 0) return { text, invalidAt: text.length };
    return { text, invalidAt: firstLoneSurrogate(text) };
  };
}

const endsInsidePair = (text: string): boolean => /[\ud800-\udbff]$/.test(text);

function firstLoneSurrogate(text: string): number {
  if (text.isWellFormed()) return -1;
  const well = text.toWellFormed();
  let at = 0;
  while (text.charCodeAt(at) === well.charCodeAt(at)) at += 1;
  return at;
}
