import * as z from 'zod';
import { namespacePath, tableName } from '../access/names.ts';
import { badRequest } from './refusal.ts';

/** Joins the levels of a namespace in a path; a dot does too, which no level of ours contains. */
const SEPARATOR = '\u001f';

/** `a%1Fb`, decoded, or `a.b`, as the service writes it: `a.b`. */
export function pathFromText(text: string): string {
  return text.replaceAll(SEPARATOR, '.');
}

/** `a.b` as the protocol lists it. */
export function levelsOf(path: string): string[] {
  return path.split('.');
}

/** Characters of a location, which no store's paths exceed. */
export const MAX_LOCATION = 2048;
/** Far beyond any name that a table, view or namespace can have: what is longer isn't looked at. */
const MAX_NAME = 1024;
const MAX_LEVELS = 128;

export const catalogName = z.string().max(MAX_NAME, `must be at most ${MAX_NAME} characters`);
export const namespaceLevels = z.array(catalogName).max(MAX_LEVELS, `must be at most ${MAX_LEVELS} levels`);
export const identifier = z.object({ namespace: namespaceLevels, name: catalogName });
export type Identifier = z.infer<typeof identifier>;

/** The levels of a body as a dotted path. @throws CatalogRefusal for what can be no namespace of ours */
export function pathOfLevels(levels: readonly string[]): string {
  const path = levels.join('.');
  const read = namespacePath.safeParse(path);
  if (levels.length > 0 && !levels.some((level) => level.includes('.')) && read.success) return path;
  throw badRequest(
    `Invalid namespace ${JSON.stringify(levels).slice(0, 300)}: each level must be 1 to 128 characters of letters, digits and "_", not beginning with a digit.`,
  );
}

/** A name that a table or view can get. @throws CatalogRefusal */
export function requireName(name: string): string {
  const read = tableName.safeParse(name);
  if (read.success) return name;
  throw badRequest(`Invalid name ${JSON.stringify(name).slice(0, 300)}: it ${read.error.issues[0]!.message}.`);
}
