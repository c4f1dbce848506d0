import { type Token, tokenize } from '@svc/core/sql-tokens';
import { parseRowChange, type RowChange } from '@svc/core/statements';

/** Where the types of the parameters of a statement that changes rows come from. */
export interface ChangeParameters {
  readonly namespace: string;
  readonly table: string;
  /** Parameters whose values columns get as they are. A number is the position of a column in the table. */
  readonly assigned: ReadonlyMap<number, string | number>;
  /** A query with the other parameters; null if every parameter is assigned. */
  readonly query: string | null;
}

/** Null for a statement whose parameters have no types: they are texts. */
export function changeParameters(sql: string): ChangeParameters | null {
  const parsed = parseRowChange(sql);
  if (!parsed.ok) return null;
  const { change } = parsed;
  const { namespace, table } = change;
  switch (change.kind) {
    case 'insert':
      return { namespace, table, ...insertParameters(change) };
    case 'update':
    case 'delete':
      return { namespace, table, ...rowParameters(change) };
    case 'merge':
      return { namespace, table, ...mergeParameters(change) };
    default:
      return null;
  }
}

type Uses = Pick<ChangeParameters, 'assigned' | 'query'>;

function insertParameters(change: Extract<RowChange, { kind: 'insert' }>): Uses {
  const rows = valuesRows(change.query);
  if (rows === null) return { assigned: new Map(), query: `${change.with} ${change.query}` };
  const assigned = new Map<number, string | number>();
  const others: string[] = [];
  for (const row of rows) {
    for (const [i, expression] of row.entries()) {
      const number = parameterNumber(expression);
      if (number !== null) assigned.set(number, change.columns?.[i] ?? i);
      else if (expression.includes('$')) others.push(expression);
    }
  }
  return { assigned, query: others.length === 0 ? null : `${change.with} SELECT ${others.join(', ')}` };
}

function rowParameters(change: Extract<RowChange, { kind: 'update' | 'delete' }>): Uses {
  const assigned = new Map<number, string>();
  const others: string[] = [];
  for (const { column, expression } of change.kind === 'update' ? change.set : []) {
    const number = parameterNumber(expression);
    if (number === null) others.push(expression);
    else assigned.set(number, column);
  }
  const more = change.kind === 'update' ? change.from : change.using;
  const from = `${fromTarget(change)}${more === null ? '' : `, ${more}`}`;
  const where = change.condition === null ? '' : ` WHERE ${change.condition}`;
  const isNeeded = `${others.join()}${where}${change.with}${more ?? ''}`.includes('$');
  return { assigned, query: isNeeded ? `${change.with} SELECT ${[1, ...others].join(', ')} ${from}${where}` : null };
}

function mergeParameters(change: Extract<RowChange, { kind: 'merge' }>): Uses {
  const assigned = new Map<number, string | number>();
  const others: string[] = [];
  const assign = (expression: string, column: string | number) => {
    const number = parameterNumber(expression);
    if (number === null) others.push(expression);
    else assigned.set(number, column);
  };
  for (const clause of change.clauses) {
    if (clause.condition !== null) others.push(clause.condition);
    if (clause.kind === 'update') for (const { column, expression } of clause.set) assign(expression, column);
    if (clause.kind === 'insert')
      for (const [i, value] of clause.values.entries()) assign(value, clause.columns?.[i] ?? i);
  }
  const { source, on } = change;
  const isNeeded = `${others.join()}${source}${on}${change.with}`.includes('$');
  const query = `${change.with} SELECT ${[1, ...others].join(', ')} ${fromTarget(change)}, ${source} WHERE ${on}`;
  return { assigned, query: isNeeded ? query : null };
}

function fromTarget({ namespace, table, alias }: RowChange): string {
  const name = [...namespace.split('.'), table].map(quoted).join('.');
  return `FROM ${name} AS ${quoted(alias)}`;
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const parameterNumber = (expression: string): number | null =>
  /^\$\d{1,5}$/.test(expression) ? Number(expression.slice(1)) : null;

/** The expressions of each row of VALUES, or null for another query. */
function valuesRows(query: string): string[][] | null {
  const { text, tokens } = tokenize(query);
  if (tokens[0]?.upper !== 'VALUES') return null;
  const depth = tokens[0].depth;
  const rows: string[][] = [];
  let start: Token | undefined;
  for (const [i, token] of tokens.entries()) {
    const isInRow = token.depth === depth + 1;
    if (token.text === '(' && token.depth === depth) [start] = [tokens[i + 1], rows.push([])];
    const isEnd = (token.text === ',' && isInRow) || (token.text === ')' && token.depth === depth);
    if (!isEnd || start === undefined) continue;
    rows.at(-1)!.push(text.slice(start.start, tokens[i - 1]!.end));
    start = token.text === ',' ? tokens[i + 1] : undefined;
  }
  return rows;
}
