import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
} from 'yaml';
import { isStorable } from '../contract/index.ts';
import { type ProjectDiagnostic, UNSTORABLE } from './diagnostics.ts';
import { findExcess } from './yaml-limits.ts';

/** A YAML text that is read against a fixed shape; every deviation becomes a problem with its line. */
export interface Reader {
  readonly file: string;
  readonly problems: ProjectDiagnostic[];
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  /** Number of lines in the file before the YAML text. */
  readonly offset: number;
}

export interface Entry {
  readonly node: Node | null;
  readonly line: number;
  /** Dotted path of the key, for messages. */
  readonly path: string;
}

/** Parses a YAML 1.2 text. Syntax errors become problems, and the root is then null. */
export function openYaml(text: string, file: string, offset = 0): { reader: Reader; root: Entry | null } {
  const lines = new LineCounter();
  const excess = findExcess(text);
  const options = {
    lineCounter: lines,
    version: '1.2',
    prettyErrors: false,
    uniqueKeys: true,
    resolveKnownTags: false,
  } as const;
  const document = parseDocument(excess === null ? text : '', options);
  const reader: Reader = { file, problems: [], document, lines, offset };
  if (excess !== null) {
    const { at, message, remedy } = excess;
    const line = text.slice(0, at).split('\n').length + offset;
    reader.problems.push({ file, line, message, remedy });
    return { reader, root: null };
  }
  const texts = text.split('\n');
  const seen = new Set<number>();
  for (const error of document.errors) {
    const line = lines.linePos(error.pos[0]).line;
    if (seen.has(line)) continue;
    seen.add(line);
    const found =
      error.code === 'MULTIPLE_DOCS' ? multipleDocumentsError(file) : explain(error.message, texts[line - 1] ?? '');
    reader.problems.push({ file, line: line + offset, ...found });
  }
  findUnknownTags(reader, text);
  findUnresolvedAliases(reader, texts, seen);
  findUnstorableTexts(reader);
  if (reader.problems.length > 0) return { reader, root: null };
  const node = document.contents as Node | null;
  return { reader, root: { node, line: node?.range ? lineAt(reader, node.range[0]) : 1 + offset, path: '' } };
}

/** A value up to the end of the line or, inside braces, up to the next key or the closing brace. */
// bounded: used on lines of at most 1000 characters.
const BLOCK_TEXT = /^\s*(?:-\s+)?(?:[\w.-]+\s*:\s+)?([*@].*?)\s*$/;
// bounded: used on lines of at most 1000 characters.
const FLOW_TEXT = /[{,]\s*[\w.-]+\s*:\s+([*@][^}]*?)\s*(?:\}|$|,\s*[\w.-]+\s*:)/;

/** Maximum length of a tag in a message. */
const MAX_TAG = 100;

/** The parser's own message is advice for programmers. */
function multipleDocumentsError(file: string): { message: string; remedy: string } {
  const where = /\.ya?ml$/i.test(file) ? file : 'the header';
  return {
    message: 'a second YAML document starts here',
    remedy: `${where} must contain a single document: remove "---"`,
  };
}

/**
 * YAML parses a leading `*` as an alias and refuses a leading `@`. This is the most common mistake in a cron text, so
 * the message names it.
 */
function explain(message: string, line: string): { message: string; remedy: string } {
  // No cron text is on a longer line, and on such a line the patterns would take quadratic time.
  const value = line.length > 1000 ? undefined : (BLOCK_TEXT.exec(line) ?? FLOW_TEXT.exec(line))?.[1];
  if (value === undefined) return { message: `not valid YAML: ${message}`, remedy: 'correct the line' };
  return {
    message: `a text that starts with ${value[0]} must be quoted in YAML`,
    remedy: `write ${JSON.stringify(value.replaceAll('"', ''))} in quotes`,
  };
}

/** The parser only warns about an unknown tag or directive and then ignores it, so that becomes a problem here. */
function findUnknownTags({ file, problems, document, lines, offset }: Reader, text: string): void {
  for (const { code, message, pos } of document.warnings) {
    const line = lines.linePos(pos[0]).line + offset;
    const tag = text.slice(...pos).slice(0, MAX_TAG);
    const found =
      code === 'TAG_RESOLVE_FAILED'
        ? { message: `unknown YAML tag ${JSON.stringify(tag)}`, remedy: 'write the value without a tag' }
        : { message: `not valid YAML: ${message}`, remedy: 'correct the line' };
    problems.push({ file, line, ...found });
  }
}

function findUnresolvedAliases(reader: Reader, texts: readonly string[], seen: Set<number>): void {
  const visit = (node: unknown): void => {
    if (isAlias(node)) {
      if (node.resolve(reader.document) !== undefined || !node.range) return;
      const line = reader.lines.linePos(node.range[0]).line;
      if (seen.has(line)) return;
      seen.add(line);
      const found = explain(`unknown alias *${node.source}`, texts[line - 1] ?? '');
      reader.problems.push({ file: reader.file, line: line + reader.offset, ...found });
    } else if (isMap(node)) {
      for (const pair of node.items) {
        visit(pair.key);
        visit(pair.value);
      }
    } else if (isSeq(node)) for (const item of node.items) visit(item);
  };
  visit(reader.document.contents);
}

function findUnstorableTexts(reader: Reader): void {
  visit(reader.document, {
    Scalar: (_, { value, range }) => {
      if (typeof value !== 'string' || isStorable(value)) return;
      reader.problems.push({ file: reader.file, line: lineAt(reader, range?.[0] ?? 0), ...UNSTORABLE });
    },
  });
}

function lineAt(reader: Reader, position: number): number {
  return reader.lines.linePos(position).line + reader.offset;
}

/** An alias can repeat the same mistake any number of times; more problems add no information. */
const MAX_PROBLEMS = 1000;

/** Adds a problem at an entry's line. */
export function report(reader: Reader, entry: Entry, message: string, remedy: string | null): void {
  if (reader.problems.length >= MAX_PROBLEMS) return;
  reader.problems.push({ file: reader.file, line: entry.line, message, remedy });
}

function follow(reader: Reader, node: unknown): Node | null {
  if (isAlias(node)) return (node.resolve(reader.document) as Node | undefined) ?? null;
  return (node as Node | null | undefined) ?? null;
}

function isNull(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.value === null);
}

/**
 * The entries of a mapping by key. Unknown keys are refused with the allowed ones; `allowed` null accepts any key. An
 * absent or null mapping is empty.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one flat check for each mistake that a mapping can contain
export function readMap(reader: Reader, entry: Entry, allowed: readonly string[] | null): Map<string, Entry> {
  const found = new Map<string, Entry>();
  if (isNull(entry.node)) return found;
  if (!isMap(entry.node)) {
    report(reader, entry, `${name(entry)} must be a mapping of keys to values`, listAllowed(allowed));
    return found;
  }
  for (const pair of entry.node.items as Pair<Node, Node | null>[]) {
    const key = isScalar(pair.key) ? (pair.key.source ?? String(pair.key.value)) : null;
    const line = pair.key?.range ? lineAt(reader, pair.key.range[0]) : entry.line;
    const path = entry.path === '' ? String(key) : `${entry.path}.${key}`;
    const child: Entry = { node: follow(reader, pair.value), line, path };
    if (key === null) report(reader, child, `${name(entry)} has a key that is not a string`, null);
    else if (key === '') report(reader, child, `${name(entry)} has an empty key`, 'write a name before the colon');
    else if (allowed !== null && !allowed.includes(key)) {
      const where = entry.path === '' ? 'at the top' : `in ${entry.path}`;
      report(reader, child, `unknown key ${JSON.stringify(key)} ${where}`, listAllowed(allowed));
    } else found.set(key, child);
  }
  return found;
}

function listAllowed(allowed: readonly string[] | null): string | null {
  return allowed === null ? null : `allowed here: ${allowed.join(', ')}`;
}

function name(entry: Entry): string {
  return entry.path === '' ? 'the whole' : entry.path;
}

/** A text. A number is returned as written, so that `python: 3.10` stays 3.10. Absent or null returns null. */
export function readText(reader: Reader, entry: Entry | undefined): string | null {
  if (entry === undefined || isNull(entry.node)) return null;
  if (isScalar(entry.node)) {
    if (typeof entry.node.value === 'string') return entry.node.value;
    if (typeof entry.node.value === 'number') return entry.node.source ?? String(entry.node.value);
  }
  report(reader, entry, `${name(entry)} must be a text`, 'write it in quotes');
  return null;
}

/** A boolean; absent returns the default. */
export function readBoolean(reader: Reader, entry: Entry | undefined, absent: boolean): boolean {
  if (entry === undefined || isNull(entry.node)) return absent;
  if (isScalar(entry.node) && typeof entry.node.value === 'boolean') return entry.node.value;
  report(reader, entry, `${name(entry)} must be true or false`, 'write true or false without quotes');
  return absent;
}

/** An integer within inclusive bounds; absent returns null. */
export function readInteger(reader: Reader, entry: Entry | undefined, min: number, max: number): number | null {
  if (entry === undefined || isNull(entry.node)) return null;
  const value = isScalar(entry.node) ? entry.node.value : null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  report(reader, entry, `${name(entry)} must be a whole number from ${min} to ${max}`, null);
  return null;
}

/** The entries of a list; absent returns none. */
export function readList(reader: Reader, entry: Entry | undefined): Entry[] {
  if (entry === undefined || isNull(entry.node)) return [];
  if (!isSeq(entry.node)) {
    report(reader, entry, `${name(entry)} must be a list`, 'write it as ["a", "b"] or as lines that start with "- "');
    return [];
  }
  return entry.node.items.map((item, index) => {
    const node = follow(reader, item);
    const line = node?.range ? lineAt(reader, node.range[0]) : entry.line;
    return { node, line, path: `${entry.path}[${index}]` };
  });
}

/** A list of texts; absent returns an empty list. */
export function readTextList(reader: Reader, entry: Entry | undefined): string[] {
  const texts: string[] = [];
  for (const item of readList(reader, entry)) {
    const text = readText(reader, item);
    if (text !== null) texts.push(text);
    else if (isNull(item.node)) report(reader, item, `${name(item)} is empty`, 'remove it or write a text');
  }
  return texts;
}

/** A text, or a list of texts. */
export function readTextOrTexts(reader: Reader, entry: Entry | undefined): string[] {
  if (entry !== undefined && isSeq(entry.node)) return readTextList(reader, entry);
  const text = readText(reader, entry);
  return text === null ? [] : [text];
}

/** Whether a key is present with the value null. */
export function isNullEntry(entry: Entry | undefined): boolean {
  return entry !== undefined && isNull(entry.node);
}

export function isMapEntry(entry: Entry): boolean {
  return isMap(entry.node);
}
