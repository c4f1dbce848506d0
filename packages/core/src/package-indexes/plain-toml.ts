type Value = string | number | boolean | Value[] | Table;
interface Table {
  [key: string]: Value;
}

/** The parser recurses per level; deeper texts go to the full parser, which reports the depth. */
const MAX_LEVELS = 64;

/** Thrown internally for anything that needs the full parser. */
const UNSUPPORTED = Symbol('other TOML');
/** Strings with an escape, a control character or a tab go to the full parser. */
const STRING = /"([^"\\\0-\x1f\x7f]*)"(?!")/y;
/** Files and dependencies make up most of a lock. Matched by one expression, their objects share one hidden class. */
const FILE =
  /\{ url = "([^"\\\0-\x1f\x7f]*)", hash = "([^"\\\0-\x1f\x7f]*)"(?:, size = (0|[1-9]\d{0,14}))?(?:, upload-time = "([^"\\\0-\x1f\x7f]*)")? \}/y;
const DEPENDENCY = /\{ name = "([^"\\\0-\x1f\x7f]*)" \}/y;
const BARE_KEY = /^[A-Za-z0-9_-]+$/;
const KEYS = ['name', 'version', 'source', 'registry', 'dependencies', 'sdist', 'wheels', 'marker', 'extra'] as const;
const INTEGER = /(?:0|[1-9]\d{0,14})(?=[\s,\]}]|$)/y;
const HEADER = /\[(\[)?([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)\](\])?\n/y;

/**
 * Parses the subset of TOML that uv writes into locks: bare keys, plain strings, integers, arrays, inline tables,
 * tables and arrays of tables. Returns what the full parser returns, many times faster; null for anything else, valid
 * or not, which the full parser then handles.
 */
export function readPlainToml(text: string): Table | null {
  try {
    return new Reader(text.endsWith('\n') ? text : `${text}\n`).document();
  } catch (error) {
    if (error === UNSUPPORTED) return null;
    throw error;
  }
}

class Reader {
  private at = 0;
  private level = 0;
  /** Tables and arrays created by headers; TOML doesn't allow headers to extend any others. */
  private readonly createdByHeader = new Set<object>();
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  document(): Table {
    const root: Table = {};
    let table = root;
    while (this.at < this.text.length) {
      const char = this.text[this.at];
      if (char === '\n') this.at += 1;
      else if (char === '[') table = this.header(root);
      else this.pair(table, '\n');
    }
    return root;
  }

  private header(root: Table): Table {
    HEADER.lastIndex = this.at;
    const match = HEADER.exec(this.text);
    if (match === null || (match[1] === undefined) !== (match[3] === undefined)) throw UNSUPPORTED;
    this.at = HEADER.lastIndex;
    const path = match[2]!.split('.');
    const last = path.pop()!;
    let parent = root;
    for (const key of path) parent = this.inner(parent, key);
    const fresh: Table = {};
    const found = parent[last];
    if (match[1] !== undefined) {
      if (found === undefined) {
        const list: Value[] = [];
        this.createdByHeader.add(list);
        this.put(parent, last, list);
        list.push(fresh);
      } else if (Array.isArray(found) && this.createdByHeader.has(found)) found.push(fresh);
      else throw UNSUPPORTED;
    } else if (found === undefined) this.put(parent, last, fresh);
    else throw UNSUPPORTED;
    this.createdByHeader.add(fresh);
    return fresh;
  }

  /** The table that a header's path leads through: one that a header created, or the last element of an array. */
  private inner(parent: Table, key: string): Table {
    const found = parent[key];
    if (typeof found !== 'object' || !this.createdByHeader.has(found)) throw UNSUPPORTED;
    return (Array.isArray(found) ? found.at(-1) : found) as Table;
  }

  private put(table: Table, key: string, value: Value): void {
    // A duplicate key, or a property that every object has: left to the full parser.
    if (table[key] !== undefined) throw UNSUPPORTED;
    table[key] = value;
  }

  /** Parses `key = value` and its terminator. */
  private pair(table: Table, end: string): void {
    const key = this.key();
    this.put(table, key, this.value());
    if (end === '') return;
    if (!this.text.startsWith(end, this.at)) throw UNSUPPORTED;
    this.at += end.length;
  }

  private value(): Value {
    const first = this.text[this.at];
    if (first === '"') return this.match(STRING)[1]!;
    if (first !== '[' && first !== '{') return this.scalar();
    if (++this.level > MAX_LEVELS) throw UNSUPPORTED;
    const inner = first === '[' ? this.list() : this.inlineTable();
    this.level -= 1;
    return inner;
  }

  /** Parses a bare key and the ` = ` after it. */
  private key(): string {
    const end = this.text.indexOf(' = ', this.at);
    // Comparing with the known keys avoids slicing the text.
    for (const known of KEYS)
      if (known.length === end - this.at && this.text.startsWith(known, this.at)) {
        this.at = end + 3;
        return known;
      }
    const key = end === -1 ? '' : this.text.slice(this.at, end);
    if (!BARE_KEY.test(key)) throw UNSUPPORTED;
    this.at = end + 3;
    return key;
  }

  private match(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null) throw UNSUPPORTED;
    this.at = pattern.lastIndex;
    return match;
  }

  private scalar(): number | boolean {
    for (const word of ['true', 'false']) {
      if (!this.text.startsWith(word, this.at) || !/[\s,\]}]/.test(this.text[this.at + word.length]!)) continue;
      this.at += word.length;
      return word === 'true';
    }
    return Number(this.match(INTEGER)[0]);
  }

  private list(): Value[] {
    const values: Value[] = [];
    this.at += 1;
    this.space();
    while (this.text[this.at] !== ']') {
      values.push(this.value());
      this.space();
      if (this.text[this.at] === ',') {
        this.at += 1;
        this.space();
      } else if (this.text[this.at] !== ']') throw UNSUPPORTED;
    }
    this.at += 1;
    return values;
  }

  private space(): void {
    for (let code = this.text.charCodeAt(this.at); code === 32 || code === 10; code = this.text.charCodeAt(this.at))
      this.at += 1;
    if (this.at >= this.text.length) throw UNSUPPORTED;
  }

  /** The tables that occur most often in a lock; null for any other. */
  private knownTable(): Table | null {
    const pattern = this.text[this.at + 2] === 'u' ? FILE : DEPENDENCY;
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null) return null;
    this.at = pattern.lastIndex;
    if (pattern === DEPENDENCY) return { name: match[1]! };
    const url = match[1]!;
    const hash = match[2]!;
    const time = match[4];
    if (match[3] === undefined) return time === undefined ? { url, hash } : { url, hash, 'upload-time': time };
    const size = Number(match[3]);
    return time === undefined ? { url, hash, size } : { url, hash, size, 'upload-time': time };
  }

  private inlineTable(): Table {
    const known = this.knownTable();
    if (known !== null) return known;
    const table: Table = {};
    if (!this.text.startsWith('{ ', this.at)) throw UNSUPPORTED;
    this.at += 2;
    for (;;) {
      this.pair(table, '');
      if (this.text.startsWith(' }', this.at)) break;
      if (!this.text.startsWith(', ', this.at)) throw UNSUPPORTED;
      this.at += 2;
    }
    this.at += 2;
    return table;
  }
}
