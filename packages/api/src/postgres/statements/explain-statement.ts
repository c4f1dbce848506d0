import type { Token } from '@svc/core/sql-tokens';
import type { SessionStatement } from './session-statement.ts';
import { partFrom, type StatementText } from './split.ts';

/** PostgreSQL's options. They have no effect here: a plan has one form, and nothing of a run. */
const OPTIONS: ReadonlySet<string> = new Set([
  ...['ANALYZE', 'ANALYSE', 'BUFFERS', 'COSTS', 'FORMAT', 'GENERIC_PLAN', 'MEMORY'],
  ...['SERIALIZE', 'SETTINGS', 'SUMMARY', 'TIMING', 'VERBOSE', 'WAL'],
]);
const OFF: ReadonlySet<string | undefined> = new Set(['OFF', 'FALSE', '0']);

/** `EXPLAIN [VERBOSE] <query>` or `EXPLAIN (option [value], …) <query>` */
export function parseExplain(statement: StatementText & { readonly tokens: readonly Token[] }): SessionStatement {
  const { tokens } = statement;
  const { options, end } = readOptions(tokens);
  const on = options.filter(([, value]) => !OFF.has(value)).map(([name]) => name);
  if (on.includes('ANALYZE') || on.includes('ANALYSE'))
    return {
      kind: 'unsupported',
      what: 'EXPLAIN ANALYZE',
      hint: 'Leave out ANALYZE: a plan is made without running the statement.',
    };
  const format = options.find(([name]) => name === 'FORMAT')?.[1];
  if (format !== undefined && format !== 'TEXT')
    return { kind: 'unsupported', what: `EXPLAIN with FORMAT ${format}`, hint: 'Leave out FORMAT: a plan is text.' };
  // Positions in errors match the text of the client.
  const gap = ' '.repeat(Math.max(0, (tokens[end]?.start ?? 0) - tokens[0]!.end));
  return { kind: 'explain', sql: gap + partFrom(statement, end) };
}

interface Options {
  /** In upper case. */
  readonly options: readonly (readonly [name: string, value: string | undefined])[];
  /** The index of the first token of the query. */
  readonly end: number;
}

/** The options before the query. A parenthesis may also start the query itself. */
function readOptions(tokens: readonly Token[]): Options {
  const isOption = (at: number) => tokens[at]?.kind === 'word' && OPTIONS.has(tokens[at].upper);
  if (tokens[1]?.text === '(' && isOption(2)) {
    const end = tokens.findIndex(({ text }) => text === ')');
    const groups: Token[][] = [[]];
    for (const token of tokens.slice(2, end)) {
      if (token.text === ',') groups.push([]);
      else groups.at(-1)!.push(token);
    }
    const options = groups.map(
      ([name, value]) => [name?.upper ?? '', value?.text.replaceAll("'", '').toUpperCase()] as const,
    );
    return { options, end: end + 1 };
  }
  let end = 1;
  while (isOption(end)) end++;
  return { options: tokens.slice(1, end).map(({ upper }) => [upper, undefined]), end };
}
