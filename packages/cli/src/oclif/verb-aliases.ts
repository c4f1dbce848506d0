import { COMMANDS } from './plugin.ts';

/** Verbs with the same meaning. A topic that has one of them accepts the others. */
export const SYNONYMS: readonly (readonly string[])[] = [
  ['get', 'show'],
  ['delete', 'remove', 'drop'],
  ['create', 'add'],
  ['list', 'ls'],
];

/** The id of the command with these parts, whose last one may be a synonym of its verb, or undefined. */
export function commandIdOf(parts: readonly string[]): string | undefined {
  const synonyms = SYNONYMS.find((verbs) => verbs.includes(parts.at(-1)!)) ?? [];
  const ids = [parts, ...synonyms.map((verb) => [...parts.slice(0, -1), verb])].map((one) => one.join(' '));
  return ids.find((id) => Object.hasOwn(COMMANDS, id));
}
