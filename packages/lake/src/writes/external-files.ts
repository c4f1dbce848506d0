import fs from 'node:fs/promises';
import path from 'node:path';
import { fileLocation, pathOfLocation, UnsupportedTableError } from '@svc/iceberg';
import { engineError } from '../queries/query-errors.ts';
import { externalSource } from '../queries/relations/relation-sql.ts';
import type { ExternalFormat } from '../queries/relations/relations.ts';
import { outputColumns, type ResultColumn } from '../queries/results/result-columns.ts';
import { EngineError } from '../queries/sandbox/child-errors.ts';
import { confine } from '../queries/sandbox/confine.ts';
import type { Sandbox } from '../queries/sandbox/sandbox.ts';
import { type Sql, sql } from '../queries/sql-text.ts';
import { filledTypeText, type Untyped, untypedColumns } from './untyped-columns.ts';

const EXTENSIONS: Readonly<Record<ExternalFormat, RegExp>> = {
  csv: /\.(csv|tsv|txt)(\.(gz|zst))?$/i,
  ndjson: /\.(ndjson|jsonl|json)(\.(gz|zst))?$/i,
  parquet: /\.parquet$/i,
};

const MAX_FILES = 10_000;

/** The engine would treat these characters as a pattern. */
const PATTERN = /[*?[\]]/;

/**
 * The files that an external table's location names: a file, a folder (its files of the format, including subfolders),
 * or a pattern with `*` in the last part. Files outside `roots`, also through a link, are left out. Called for each
 * query, so that added and removed files take effect.
 *
 * @param roots folders the operator allows, absolute
 * @throws UnsupportedTableError if the location isn't below a root, or one of its files can't be read
 */
export async function listExternalFiles(
  location: string,
  format: ExternalFormat,
  roots: readonly string[],
): Promise<string[]> {
  const named = pathOfLocation(location);
  const realRoots = await Promise.all(roots.map((root) => fs.realpath(root).catch(() => path.resolve(root))));
  const within = (file: string) => realRoots.some((root) => file === root || file.startsWith(root + path.sep));
  const parent = named === null ? null : await fs.realpath(namedFolder(named)).catch(() => null);
  if (named === null || parent === null || !within(parent)) {
    throw new UnsupportedTableError(
      `The location ${location} doesn't exist or isn't inside an allowed location. The operator allows locations with SVC_STORAGE__EXTERNAL_LOCATIONS.`,
    );
  }
  const found: string[] = [];
  for await (const file of candidates(named, format)) {
    const real = await fs.realpath(file).catch(() => null);
    if (real === null || !within(real)) continue;
    if (PATTERN.test(real)) {
      const name = path.relative(parent, real) || path.basename(real);
      throw new UnsupportedTableError(
        `The file ${name} in ${location} can't be read, because its path contains *, ?, [ or ]. Rename it.`,
      );
    }
    found.push(fileLocation(real));
    if (found.length > MAX_FILES)
      throw new UnsupportedTableError(`An external table can have at most ${MAX_FILES} files.`);
  }
  return found.sort();
}

/**
 * Whether the files of one external location may also be files of another one: one of the folders, or files, that they name is the other
 * one or inside of it. Patterns in the same folder count.
 */
export async function mayShareFiles(location: string, other: string): Promise<boolean> {
  const [one, two] = await Promise.all([location, other].map(realFolder));
  if (one == null || two == null) return false;
  const isInside = (inner: string, outer: string) => `${inner}${path.sep}`.startsWith(`${outer}${path.sep}`);
  return isInside(one, two) || isInside(two, one);
}

async function realFolder(location: string): Promise<string | null> {
  const named = pathOfLocation(location);
  if (named === null) return null;
  const folder = namedFolder(named);
  return fs.realpath(folder).catch(() => path.resolve(folder));
}

const namedFolder = (named: string): string => (path.basename(named).includes('*') ? path.dirname(named) : named);

async function* candidates(named: string, format: ExternalFormat): AsyncGenerator<string> {
  const pattern = path.basename(named);
  if (pattern.includes('*')) {
    const entries = await fs.readdir(path.dirname(named), { withFileTypes: true });
    for (const e of entries)
      if (!e.isDirectory() && matches(pattern, e.name)) yield path.join(path.dirname(named), e.name);
    return;
  }
  const stat = await fs.stat(named);
  if (!stat.isDirectory()) {
    yield named;
    return;
  }
  for (const entry of await fs.readdir(named, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || entry.name.startsWith('_')) continue;
    const full = path.join(named, entry.name);
    if (entry.isDirectory()) yield* candidates(full, format);
    else if (EXTENSIONS[format].test(entry.name)) yield full;
  }
}

/**
 * Whether a name matches the pattern, in which `*` matches any text: each part is searched once, from the end of the
 * previous match.
 */
export function matches(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at + last.length <= name.length;
}

/** A column with text in the parts of its type that the file leaves open. */
export type InferredColumn = ResultColumn & { readonly untyped?: Untyped | undefined };

export type ExternalColumns =
  | { readonly ok: true; readonly columns: readonly InferredColumn[] }
  | { readonly ok: false; readonly message: string };

/** Infers the columns of external files by reading them in a sandboxed child; with an owner, in one that serves its queries. */
export async function inferExternalColumns(
  sandbox: Sandbox,
  source: { readonly format: ExternalFormat; readonly locations: readonly string[]; readonly owner?: string },
): Promise<ExternalColumns> {
  const paths = source.locations.map((l) => pathOfLocation(l)).filter((p) => p !== null);
  if (paths.length === 0)
    return { ok: false, message: "The location has no files, so the columns can't be detected. Specify the columns." };
  return inferColumns(sandbox, { ...source, paths, rows: externalSource(source.format, paths, null) });
}

/** The columns of rows that a sandboxed child reads. */
export async function inferColumns(
  sandbox: Sandbox,
  source: {
    readonly format: ExternalFormat;
    readonly paths: readonly string[];
    readonly rows: Sql;
    readonly owner?: string;
  },
): Promise<ExternalColumns> {
  return sandbox.withChild(async (child) => {
    child.watch(sandbox.options);
    try {
      await confine(child, sandbox.options, { files: source.paths, outputDir: null });
      const columns = outputColumns(await child.send({ op: 'describe', sql: sql`SELECT * FROM ${source.rows}`.text }));
      const [first, ...more] = source.paths;
      // Rows that are added later may have a value, most likely a text.
      const isOneFile = source.format === 'parquet' && first !== undefined && more.length === 0;
      const untyped = isOneFile ? await untypedColumns(child, { path: first }, columns) : new Map();
      return {
        ok: true,
        columns: columns.map(({ name, type }, i) => ({
          name,
          type: filledTypeText(type, untyped.get(i), null),
          ...(untyped.has(i) ? { untyped: untyped.get(i) } : {}),
        })),
      };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const { message } = engineError(error.message, { restricted: false });
      return { ok: false, message: `The files can't be read as ${source.format}: ${message.split('\n')[0]}` };
    }
  }, source.owner);
}
