import { CLOCK_NAMES, DISPATCHING_FUNCTIONS, VOLATILE_FUNCTIONS } from './functions.ts';
import type { Node } from './guard-error.ts';
import { foldName } from './names.ts';
import { nodesOf } from './nodes.ts';

/**
 * Whether an expression or statement has the same result whenever it runs over the same rows: it has no random sample, and
 * neither calls a volatile function nor has a name that the engine may treat as one.
 */
export const isDeterministic = (ast: Node): boolean => !nodesOf(ast).some(isVolatile);

function isVolatile(node: Node): boolean {
  if (isPresent(node['sample'])) return true;
  if (node['class'] === 'COLUMN_REF')
    return CLOCK_NAMES.has(foldName(String((node['column_names'] as unknown[]).at(-1))));
  if (node['class'] !== 'FUNCTION' && node['class'] !== 'WINDOW') return false;
  const name = foldName(String(node['function_name']));
  return VOLATILE_FUNCTIONS.has(name) || (DISPATCHING_FUNCTIONS.has(name) && VOLATILE_FUNCTIONS.has(dispatched(node)));
}

const isPresent = (value: unknown): boolean => value !== null && value !== undefined;

/** The aggregate that a call names as its second argument. */
function dispatched(node: Node): string {
  const constant = (node['children'] as Node[])[1]?.['value'] as Node | undefined;
  return foldName(String(constant?.['value']));
}
