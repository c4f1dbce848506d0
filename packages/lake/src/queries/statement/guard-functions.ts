import {
  AGGREGATE_FUNCTIONS,
  DISPATCHING_FUNCTIONS,
  isAllowedFunction,
  similarFunction,
  TABLE_FUNCTIONS,
} from './functions.ts';
import { GuardError, type Node } from './guard-error.ts';
import { foldName } from './names.ts';

const SYSTEM_SCHEMAS = new Set(['', 'main', 'pg_catalog']);

/** Rejects a call of an unlisted function. Rewrites method calls as function calls first. */
export function checkFunction(node: Node): void {
  const name = foldName(String(node['function_name']));
  methodToFunction(node);
  if (DISPATCHING_FUNCTIONS.has(name)) checkDispatch(node, name);
  else if (!isAllowedFunction(name)) throw notAvailable(name, node);
}

function notAvailable(name: string, node: Node): GuardError {
  const similar = similarFunction(name);
  const suggestion = similar === null ? '' : ` Did you mean "${similar}"?`;
  return new GuardError(
    'function-not-allowed',
    `The function "${name}" isn't available in queries.${suggestion}`,
    node,
  );
}

/** `column.year()` parses as a function in the schema `column`; rewritten as a function call it is unambiguous. */
function methodToFunction(node: Node): void {
  const [catalog, schema] = [String(node['catalog'] ?? ''), String(node['schema'] ?? '')];
  if (SYSTEM_SCHEMAS.has(schema) && (catalog === '' || catalog === 'system')) {
    node['catalog'] = '';
    node['schema'] = '';
    return;
  }
  const column_names = [catalog, schema].filter((part) => part !== '');
  const location = node['query_location'];
  const column = { class: 'COLUMN_REF', type: 'COLUMN_REF', alias: '', query_location: location, column_names };
  node['catalog'] = '';
  node['schema'] = '';
  node['children'] = [column, ...((node['children'] as unknown[]) ?? [])];
}

function checkDispatch(node: Node, name: string): void {
  const chosen = (node['children'] as Node[])[1];
  const value = chosen?.['class'] === 'CONSTANT' ? (chosen['value'] as Node)['value'] : undefined;
  if (typeof value === 'string' && AGGREGATE_FUNCTIONS.has(foldName(value))) return;
  throw new GuardError(
    'function-not-allowed',
    `"${name}" needs the name of an ordinary aggregate as a constant.`,
    node,
  );
}

/** Rejects a table function that reads anything. */
export function checkTableFunction(node: Node): void {
  const call = node['function'] as Node;
  const name = foldName(String(call['function_name']));
  if (call['class'] !== 'FUNCTION' || call['schema'] || call['catalog'] || !TABLE_FUNCTIONS.has(name)) {
    throw new GuardError('function-not-allowed', `The table function "${name}" isn't available in queries.`, node);
  }
}
