import { readFileSync } from 'node:fs';

/** One step of a guide: a fenced block marked `tested`, or one command of a session. */
export interface TestedBlock {
  language: string;
  text: string;
  /** The expected exit code; for a command in a session, only whether it fails, which it does if an error is shown. */
  exit: number | 'fails';
  /** Line of the guide, counted from 1. */
  line: number;
  /** The expected output, line by line; `…` matches anything. */
  shown: string[];
  /** Whether it runs in the same terminal as the previous step. */
  continues: boolean;
  /** The file that the block is written to, instead of being run. */
  file: string | null;
}

/** A fenced block unchanged. */
export interface Fence {
  language: string;
  marks: string[];
  lines: string[];
  line: number;
}

/** All fenced blocks of a guide. @throws Error for one without an end */
export function fencesOf(file: URL): Fence[] {
  const fences: Fence[] = [];
  const lines = readFileSync(file, 'utf8').split('\n');
  for (let at = 0; at < lines.length; at++) {
    const found = /^```(.*)$/.exec(lines[at]!);
    if (found === null) continue;
    const [language = '', ...marks] = found[1]!.split(' ').filter((word) => word !== '');
    const end = lines.findIndex((line, i) => i > at && line === '```');
    if (end === -1) throw new Error(`${file.pathname}:${at + 1}: this block never ends.`);
    fences.push({ language, marks, lines: lines.slice(at + 1, end), line: at + 1 });
    at = end;
  }
  return fences;
}

/** The steps of a guide, in order. */
export function testedBlocks(file: URL): TestedBlock[] {
  const blocks: TestedBlock[] = [];
  for (const fence of fencesOf(file)) {
    const { language, marks, lines, line } = fence;
    const to = marks.find((mark) => mark.startsWith('file='))?.slice(5) ?? null;
    if (language === 'console' && marks.includes('tested')) blocks.push(...commandsOf(fence));
    else if (marks.includes('tested') || to !== null) {
      const exit = Number(marks.find((mark) => mark.startsWith('exit='))?.slice(5) ?? 0);
      blocks.push({ language, text: lines.join('\n'), exit, line, shown: [], continues: false, file: to });
    } else if (marks.includes('shown')) blocks.at(-1)?.shown.push(...lines);
  }
  return blocks;
}

/** A session: each line that starts with `$ ` is a command, and the lines below it are its output. */
function commandsOf({ lines, line }: Fence): TestedBlock[] {
  const blocks: TestedBlock[] = [];
  let open = false;
  for (const [i, text] of lines.entries()) {
    const last = blocks.at(-1);
    if (text.startsWith('$ ')) {
      const at = { line: line + i + 1, continues: blocks.length > 0, file: null };
      blocks.push({ language: 'sh', text: text.slice(2), exit: 0, shown: [], ...at });
    } else if (last === undefined) throw new Error(`Line ${line + 1}: a session starts with a command.`);
    else if (open) last.text += `\n${text}`;
    else {
      last.shown.push(text);
      if (text.startsWith('Error: ')) last.exit = 'fails';
    }
    open = (text.startsWith('$ ') || open) && text.endsWith('\\');
  }
  return blocks;
}

/** Values that vary: ids, durations, times. Ids may occur again in later commands. */
const VARIES: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '([0-9a-f-]{36})'],
  [/\b\d{13,19}\b/g, '(\\d{13,19})'],
  [/\b[0-9a-f]{64}\b/g, '[0-9a-f]{64}'],
  [/\d+(\\\.\d+)? (s|min \d+ s)(?![a-z])/g, '\\d+(\\.\\d+)? (s|min \\d+ s)'],
  [/\d{4}-\d\d-\d\d( |T)\d\d:\d\d:\d\d(\\\.\d+)?Z/g, '\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z'],
  [/127\\\.0\\\.0\\\.1:\d+/g, '127\\.0\\.0\\.1:\\d+'],
  [/…/g, '.*'],
];
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|\b\d{13,19}\b/g;

/** Columns are as wide as their contents. */
const even = (line: string) => line.trimEnd().replace(/ {2,}/g, '  ');

/** Whether a line of the output matches the one in the guide; the guide's ids are mapped to the actual ones. */
export function isShown(line: string, output: string, ids = new Map<string, string>()): boolean {
  const literal = even(line).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`^${VARIES.reduce((text, [varying, form]) => text.replace(varying, form), literal)}$`);
  for (const one of output.split('\n')) {
    if (!pattern.test(even(one))) continue;
    const came = one.match(ID) ?? [];
    for (const [i, id] of (line.match(ID) ?? []).entries()) if (came[i] !== undefined) ids.set(id, came[i]);
    return true;
  }
  return false;
}

/** The text with the guide's ids replaced by the actual ones. */
export function withIds(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replace(ID, (id) => ids.get(id) ?? id);
}
