import type { Token } from '../sql-tokens/index.ts';

/** The parts of a dotted name, or null. */
export function nameParts(tokens: readonly Token[]): string[] | null {
  const parts: string[] = [];
  for (const [i, { kind, text }] of tokens.entries()) {
    if (i % 2 === 1 ? text !== '.' : kind !== 'word' && kind !== 'quoted') return null;
    if (i % 2 === 0) parts.push(kind === 'quoted' ? text.slice(1, -1).replaceAll('""', '"') : text);
  }
  return tokens.length % 2 === 1 ? parts : null;
}
