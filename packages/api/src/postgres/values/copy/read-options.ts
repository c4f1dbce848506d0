import { PgValueError } from '../value-error.ts';
import { type CopyColumns, type CopyOptions, completeOptions, type SetOptions } from './copy-options.ts';
import type { TokenReader } from './token-reader.ts';

/** Reads the options of COPY to the end of the statement, in the current syntax or the old one. @throws PgValueError */
export function readOptions(reader: TokenReader, direction: 'to' | 'from', set: SetOptions): CopyOptions {
  const hasUsing = reader.take('USING');
  if (hasUsing || reader.is('DELIMITERS')) {
    reader.expect('DELIMITERS');
    put(set, 'delimiter', reader.literal());
  }
  reader.take('WITH');
  if (reader.take('(')) {
    do readOption(reader, set);
    while (reader.take(','));
    reader.expect(')');
  } else while (!reader.atEnd() && !reader.is('WHERE')) readOldOption(reader, set);
  if (reader.is('WHERE')) throw new PgValueError('0A000', "COPY FROM with WHERE isn't supported.");
  if (!reader.atEnd()) throw reader.unexpected();
  return completeOptions(set, direction);
}

function put<K extends keyof SetOptions>(set: SetOptions, name: K, value: SetOptions[K]): void {
  if (set[name] !== undefined) throw new PgValueError('42601', 'conflicting or redundant options');
  set[name] = value;
}

type ReadOption = (reader: TokenReader, set: SetOptions) => void;

/** A reader of an option's value. */
const option =
  <K extends keyof SetOptions>(name: K, value: (reader: TokenReader) => SetOptions[K]): ReadOption =>
  (reader, set) =>
    put(set, name, value(reader));

const literalOf = (reader: TokenReader): string => reader.literal();
/** Rows are loaded in one transaction anyway. */
const ignored: ReadOption = (reader) => {
  booleanOf(reader);
};

/** Options in parentheses. */
const OPTIONS: ReadonlyMap<string, ReadOption> = new Map([
  ['FORMAT', option('format', (reader) => formatOf(wordOrText(reader)))],
  ['FREEZE', ignored],
  ['DELIMITER', option('delimiter', literalOf)],
  ['NULL', option('nullText', literalOf)],
  ['HEADER', option('header', headerOf)],
  ['QUOTE', option('quote', literalOf)],
  ['ESCAPE', option('escape', literalOf)],
  ['ENCODING', option('encoding', (reader) => encodingOf(wordOrText(reader)))],
  ['FORCE_QUOTE', option('forceQuote', columnsOf)],
  ['FORCE_NOT_NULL', option('forceNotNull', columnsOf)],
  ['FORCE_NULL', option('forceNull', columnsOf)],
]);

function readOption(reader: TokenReader, set: SetOptions): void {
  const name = reader.name().toUpperCase();
  const read = OPTIONS.get(name);
  if (read === undefined) throw unknownOption(name);
  read(reader, set);
}

const unknownOption = (name: string): PgValueError => {
  const supported = 'FORMAT, HEADER, DELIMITER, NULL, QUOTE, ESCAPE, FORCE_QUOTE, FORCE_NOT_NULL, FORCE_NULL, ENCODING';
  return new PgValueError('0A000', `COPY doesn't support the option ${name}. Supported options: ${supported}.`);
};

const textAfterAs = (reader: TokenReader): string => {
  reader.take('AS');
  return reader.literal();
};

/** Options in the syntax before PostgreSQL 9. */
const OLD_OPTIONS: ReadonlyMap<string, ReadOption> = new Map([
  ['BINARY', option('format', () => 'binary')],
  ['CSV', option('format', () => 'csv')],
  ['HEADER', option('header', () => true)],
  ['FREEZE', () => undefined],
  ['DELIMITER', option('delimiter', textAfterAs)],
  ['NULL', option('nullText', textAfterAs)],
  ['QUOTE', option('quote', textAfterAs)],
  ['ESCAPE', option('escape', textAfterAs)],
  ['ENCODING', option('encoding', (reader) => encodingOf(reader.literal()))],
  ['FORCE', readForce],
]);

function readOldOption(reader: TokenReader, set: SetOptions): void {
  const error = reader.unexpected();
  const read = OLD_OPTIONS.get(reader.advance().upper);
  if (read === undefined) throw error;
  read(reader, set);
}

function readForce(reader: TokenReader, set: SetOptions): void {
  if (reader.take('QUOTE')) put(set, 'forceQuote', oldColumns(reader));
  else if (reader.take('NULL')) put(set, 'forceNull', oldColumns(reader));
  else {
    reader.expect('NOT');
    reader.expect('NULL');
    put(set, 'forceNotNull', oldColumns(reader));
  }
}

function oldColumns(reader: TokenReader): CopyColumns {
  if (reader.take('*')) return '*';
  const names = [reader.name()];
  while (reader.take(',')) names.push(reader.name());
  return names;
}

function columnsOf(reader: TokenReader): CopyColumns {
  if (reader.take('*')) return '*';
  reader.expect('(');
  const names = oldColumns(reader);
  reader.expect(')');
  return names;
}

function wordOrText(reader: TokenReader): string {
  return reader.next?.kind === 'literal' ? reader.literal() : reader.name();
}

function formatOf(name: string): CopyOptions['format'] {
  const format = name.toLowerCase();
  if (format === 'text' || format === 'csv' || format === 'binary') return format;
  throw new PgValueError('22023', `COPY format "${name}" not recognized. Use text, csv or binary.`);
}

/** An option that is on without a value. */
function booleanOf(reader: TokenReader): boolean {
  if (reader.is(',', ')')) return true;
  const word = (reader.next?.kind === 'literal' ? numberOrText(reader) : reader.name()).toLowerCase();
  if (['true', 'on', '1'].includes(word)) return true;
  if (['false', 'off', '0'].includes(word)) return false;
  throw new PgValueError('42601', `"${word}" is neither true nor false`);
}

const numberOrText = (reader: TokenReader): string =>
  /^\d/.test(reader.next!.text) ? reader.advance().text : reader.literal();

function headerOf(reader: TokenReader): boolean | 'match' {
  if (!reader.is('MATCH')) return booleanOf(reader);
  reader.advance();
  return 'match';
}

const ENCODINGS: Readonly<Record<string, CopyOptions['encoding']>> = {
  utf8: 'utf-8',
  unicode: 'utf-8',
  latin1: 'latin-1',
  iso88591: 'latin-1',
};

function encodingOf(name: string): CopyOptions['encoding'] {
  const key = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (Object.hasOwn(ENCODINGS, key)) return ENCODINGS[key]!;
  throw new PgValueError('0A000', `COPY doesn't support the encoding "${name}". Use UTF8 or LATIN1.`);
}
