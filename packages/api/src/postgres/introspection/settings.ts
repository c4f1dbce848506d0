import type { CatalogFacts } from './facts.ts';

/** The settings of a session in alphabetical order. */
export function settingsOf({
  session,
}: Pick<CatalogFacts, 'session'>): readonly (readonly [name: string, value: string])[] {
  return [...session.settings].sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
}
