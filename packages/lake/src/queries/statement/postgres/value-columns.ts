import type { Node } from '../guard-error.ts';
import { foldName } from '../names.ts';
import { calledName, isNode } from './rewriter.ts';

/** Functions whose result in FROM has the column `value`, whatever the alias of the table is. Here, the column has that alias. */
export const isOfValues = (name: string): boolean => /^jsonb?_array_elements(_text)?$/.test(name);

/** Whether a serialized tree can name such a function. */
export const canNameOfValues = (tree: string): boolean => /jsonb?_array_elements/i.test(tree);

/** Aliases of such functions by themselves in lower case; the alias of another relation means none. */
type Scope = ReadonlyMap<string, string | null>;

/** Replaces `e.value`, where `e` is the alias of such a function, and `value` beside it by the name of the column. */
export function valueColumns(value: unknown, outer: Scope = new Map(), own: Scope = new Map()): void {
  if (Array.isArray(value)) {
    for (const item of value) valueColumns(item, outer, own);
    return;
  }
  if (!isNode(value)) return;
  if (value['class'] === 'COLUMN_REF') rename(value, outer, own);
  const aliases = value['type'] === 'SELECT_NODE' ? aliasesIn(value['from_table'] as Node | null) : null;
  const inner = aliases === null ? outer : new Map([...outer, ...aliases]);
  for (const [field, child] of Object.entries(value)) {
    // The argument of such a function is a column of another relation.
    const isArgument = aliases !== null && field === 'from_table';
    valueColumns(child, inner, isArgument ? new Map() : (aliases ?? own));
  }
}

function rename(node: Node, scope: Scope, own: Scope): void {
  const names = (node['column_names'] as string[]).map(foldName);
  if (names.at(-1) !== 'value' || names.length > 2) return;
  const found = names.length === 2 ? scope.get(names[0]!) : [...own.values()].find((alias) => alias !== null);
  if (found == null) return;
  node['column_names'] = [found, found];
  if (node['alias'] === '') node['alias'] = 'value';
}

function aliasesIn(from: Node | null, found = new Map<string, string | null>()): Map<string, string | null> {
  if (from?.['type'] === 'JOIN') {
    aliasesIn(from['left'] as Node, found);
    aliasesIn(from['right'] as Node, found);
  } else if (from?.['type'] !== 'EMPTY') {
    const alias = String(from?.['alias'] || from?.['table_name'] || '');
    if (alias !== '') found.set(foldName(alias), hasValues(from!) ? alias : null);
  }
  return found;
}

function hasValues(from: Node): boolean {
  const call = from['type'] === 'TABLE_FUNCTION' ? (from['function'] as Node) : null;
  if (call?.['class'] !== 'FUNCTION' || from['alias'] === '') return false;
  return isOfValues(calledName(call) ?? '') && (from['column_name_alias'] as string[]).length === 0;
}
