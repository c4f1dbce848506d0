import type { Node } from './guard-error.ts';

/** Returns every object in a tree, parents before their children. */
export function nodesOf(root: Node): Node[] {
  const found: Node[] = [];
  const left: unknown[] = [root];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) found.push(value as Node);
    // Push one at a time: a list of constants can exceed the maximum number of call arguments.
    for (const inner of Object.values(value)) left.push(inner);
  }
  return found;
}
