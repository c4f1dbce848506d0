import { PgValueError } from './value-error.ts';

/** The texts of an array's elements; arrays of several dimensions are nested. */
export type ArrayTexts = readonly (string | null | ArrayTexts)[];

const MAX_DIMENSIONS = 6;
/** White space as PostgreSQL's arrays know it: other spaces of Unicode are part of an element. */
const SPACE = new Set(' \t\n\r\v\f');
/** The bounds of arrays whose first index isn't 1. */
const BOUNDS = /(?:\[[+-]?\d+:[+-]?\d+\])+=/y;

/** Parses an array as PostgreSQL writes it, such as `{1,NULL,"a,b"}`. @throws PgValueError */
export const parseArray = (text: string): ArrayTexts => new ArrayReader(text).whole();

/** Writes an array with every element in quotes. */
export const formatArray = (items: ArrayTexts): string =>
  `{${items
    .map((item) => {
      if (item === null) return 'NULL';
      return typeof item === 'string' ? `"${item.replace(/["\\]/g, String.raw`\$&`)}"` : formatArray(item);
    })
    .join(',')}}`;

class ArrayReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  whole(): ArrayTexts {
    this.skipSpace();
    BOUNDS.lastIndex = this.at;
    this.at += BOUNDS.exec(this.text)?.[0].length ?? 0;
    const array = this.array(1);
    this.skipSpace();
    if (this.at !== this.text.length) throw this.malformed();
    return array;
  }

  private array(depth: number): ArrayTexts {
    if (this.text[this.at] !== '{' || depth > MAX_DIMENSIONS) throw this.malformed();
    this.at++;
    const items: (string | null | ArrayTexts)[] = [];
    this.skipSpace();
    if (this.take('}')) return items;
    do {
      this.skipSpace();
      items.push(this.item(depth));
      this.skipSpace();
    } while (this.take(','));
    if (!this.take('}')) throw this.malformed();
    return items;
  }

  private item(depth: number): string | null | ArrayTexts {
    if (this.text[this.at] === '{') return this.array(depth + 1);
    return this.take('"') ? this.quoted() : this.plain();
  }

  private quoted(): string {
    let value = '';
    for (; this.at < this.text.length; this.at++) {
      if (this.take('"')) return value;
      if (this.text[this.at] === '\\') this.at++;
      value += this.text[this.at] ?? '';
    }
    throw this.malformed();
  }

  private plain(): string | null {
    let value = '';
    /** White space at the end isn't a part of the element unless it is escaped. */
    let [end, isEscaped] = [0, false];
    for (; this.at < this.text.length && !'{},"'.includes(this.text[this.at]!); this.at++) {
      const hasEscape = this.text[this.at] === '\\';
      if (hasEscape) this.at++;
      isEscaped ||= hasEscape;
      value += this.text[this.at] ?? '';
      if (hasEscape || !SPACE.has(value.at(-1) ?? ' ')) end = value.length;
    }
    if (end === 0) throw this.malformed();
    const trimmed = value.slice(0, end);
    return !isEscaped && trimmed.toUpperCase() === 'NULL' ? null : trimmed;
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private skipSpace(): void {
    while (SPACE.has(this.text[this.at] ?? '')) this.at++;
  }

  private malformed(): PgValueError {
    return new PgValueError('22P02', `malformed array literal: ${JSON.stringify(this.text.slice(0, 200))}`);
  }
}
