import type { Node } from './guard-refusal.ts';

/** Every object of a tree, each before those within it. */
export function nodesOf(root: Node): Node[] {
  const found: Node[] = [];
  const left: unknown[] = [root];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) found.push(value as Node);
    // One by one: a list of constants can be longer than a call may have arguments.
    for (const inner of Object.values(value)) left.push(inner);
  }
  return found;
}
