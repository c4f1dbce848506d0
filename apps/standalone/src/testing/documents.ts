import { readFileSync } from 'node:fs';

/** A fenced block of a guide that is run: its language is followed by `tested`, and by `exit=N` where it fails. */
export interface TestedBlock {
  language: string;
  text: string;
  exit: number;
  /** Line of the guide, counted from 1. */
  line: number;
  /** What the next block says is shown (```text shown), line by line; `…` stands for anything. */
  shown: string[];
}

const FENCE = /^```(.*)$/;

/** The blocks of a guide that are run, in their order. @throws Error for a fence that never ends */
export function testedBlocks(file: URL): TestedBlock[] {
  const blocks: TestedBlock[] = [];
  const lines = readFileSync(file, 'utf8').split('\n');
  for (let at = 0; at < lines.length; at++) {
    const [language = '', ...marks] = (FENCE.exec(lines[at]!)?.[1] ?? '').split(' ');
    if (FENCE.exec(lines[at]!) === null) continue;
    const end = lines.findIndex((line, i) => i > at && line === '```');
    if (end === -1) throw new Error(`${file.pathname}:${at + 1}: this block never ends.`);
    const text = lines.slice(at + 1, end).join('\n');
    if (marks.includes('tested')) {
      const exit = Number(marks.find((mark) => mark.startsWith('exit='))?.slice(5) ?? 0);
      blocks.push({ language, text, exit, line: at + 1, shown: [] });
    } else if (marks.includes('shown')) blocks.at(-1)?.shown.push(...text.split('\n'));
    at = end;
  }
  return blocks;
}

/** What varies from run to run: ids, durations, times. */
const VARIES: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '[0-9a-f-]{36}'],
  [/\d+(\\\.\d+)? (s|min \d+ s)(?![a-z])/g, '\\d+(\\.\\d+)? (s|min \\d+ s)'],
  [/\d{4}-\d\d-\d\d( |T)\d\d:\d\d:\d\d(\\\.\d+)?Z/g, '\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z'],
  [/127\\\.0\\\.0\\\.1:\d+/g, '127\\.0\\.0\\.1:\\d+'],
  [/…/g, '.*'],
];

/** Whether a line of the output is the one that a guide shows. */
export function isShown(line: string, output: string): boolean {
  const literal = line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = VARIES.reduce((text, [varying, form]) => text.replace(varying, form), literal);
  return output.split('\n').some((one) => new RegExp(`^${pattern}$`).test(one.trimEnd()));
}
