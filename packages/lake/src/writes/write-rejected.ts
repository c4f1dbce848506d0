import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { escapeFormula } from '@svc/core/spreadsheets';
import { linesOf } from './lines-of.ts';
import type { RejectedLine } from './split-lines.ts';

export type RejectedFiles = {
  /** Rejected lines as NDJSON, each source in the order of files and lines. */
  readonly sources: readonly string[];
  /** The names of the files. */
  readonly names: readonly (string | null)[];
  readonly target: string;
};

/** Merges rejected lines into a CSV file with a header row, in bounded memory. */
export async function writeRejected({ sources, names, target }: RejectedFiles): Promise<null> {
  const out = createWriteStream(target, { flags: 'wx' });
  const write = async (text: string) => {
    if (!out.write(text)) await once(out, 'drain');
  };
  await write('file,line,column,reason,text\n');
  const heads: { lines: Lines; line: RejectedLine }[] = [];
  for (const lines of sources.map(rejectedIn)) {
    const line = await next(lines);
    if (line !== null) heads.push({ lines, line });
  }
  while (heads.length > 0) {
    const first = heads.reduce((a, b) => (isBefore(b.line, a.line) ? b : a));
    await write(rowOf(first.line, names));
    const line = await next(first.lines);
    if (line === null) heads.splice(heads.indexOf(first), 1);
    else first.line = line;
  }
  out.end();
  await once(out, 'close');
  return null;
}

type Lines = AsyncGenerator<RejectedLine>;

const next = async (lines: Lines): Promise<RejectedLine | null> => (await lines.next()).value ?? null;

async function* rejectedIn(path: string): Lines {
  for await (const bytes of linesOf(path)) yield JSON.parse(bytes.toString('utf8'));
}

const isBefore = (a: RejectedLine, b: RejectedLine): boolean =>
  a.file === b.file ? Number(a.line) < Number(b.line) : Number(a.file) < Number(b.file);

/** People open the file in spreadsheets, and its texts come from wherever the loaded file does. */
function rowOf({ file, line, column, reason, text }: RejectedLine, names: readonly (string | null)[]): string {
  const cells = [names[file] ?? '', String(line), column ?? '', reason, text];
  return `${cells.map((cell) => quoted(escapeFormula(cell))).join(',')}\n`;
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
