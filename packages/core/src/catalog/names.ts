import * as z from 'zod';
import { namespacePath, tableName } from '../access/names.ts';
import { badRequest } from './catalog-error.ts';

/** Separates the levels of a namespace in a path. svc also accepts a dot, because its levels never contain one. */
const SEPARATOR = '\u001f';

/** Normalizes `a%1Fb`, already decoded, or `a.b` to `a.b`. */
export function pathFromText(text: string): string {
  return text.replaceAll(SEPARATOR, '.');
}

/** The levels of `a.b` for the protocol. */
export function levelsOf(path: string): string[] {
  return path.split('.');
}

/** Maximum length of a location; object stores don't accept longer paths. */
export const MAX_LOCATION = 2048;
/** Far beyond the length of any valid name; longer texts are rejected before validation. */
const MAX_NAME = 1024;
const MAX_LEVELS = 128;

export const catalogName = z.string().max(MAX_NAME, `must be at most ${MAX_NAME} characters`);
export const namespaceLevels = z.array(catalogName).max(MAX_LEVELS, `must be at most ${MAX_LEVELS} levels`);
export const identifier = z.object({ namespace: namespaceLevels, name: catalogName });
export type Identifier = z.infer<typeof identifier>;

/** The levels in a body as a dotted path. @throws CatalogError if they can't be a namespace */
export function pathOfLevels(levels: readonly string[]): string {
  const path = levels.join('.');
  const read = namespacePath.safeParse(path);
  if (levels.length > 0 && !levels.some((level) => level.includes('.')) && read.success) return path;
  throw badRequest(
    `Invalid namespace ${JSON.stringify(levels).slice(0, 300)}: each level must be 1 to 128 letters, digits and "_", not starting with a digit.`,
  );
}

/** Requires a valid name for a table or view. @throws CatalogError */
export function requireName(name: string): string {
  const read = tableName.safeParse(name);
  if (read.success) return name;
  throw badRequest(`Invalid name ${JSON.stringify(name).slice(0, 300)}: it ${read.error.issues[0]!.message}.`);
}
