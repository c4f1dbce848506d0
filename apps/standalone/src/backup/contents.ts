import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';

/*
 * A backup is a folder:
 *   manifest.json           written last: a folder without it isn't a complete backup
 *   database/TABLE.jsonl.gz rows, a line of JSON each
 *   objects.jsonl           path, size and SHA-256 of each object
 *   objects/PATH            the objects, by their path below the storage; those of environments with their own storage are below
 *                           .environments/ID, and those with longer names than files can have are in .long-names/SHA-256 of the path
 */
const sha256 = z.string().length(64);
const manifestSchema = z.object({
  /** 2 if it has objects of environments' own storage: an older service would restore them to the wrong storage. */
  format: z.union([z.literal(1), z.literal(2)]),
  service: z.string(),
  /** The newest migration. */
  schema: z.string(),
  made_at: z.string(),
  /** Where the objects were stored: tables contain absolute locations. */
  storage: z.string(),
  /** Environments with their own storage, and its location. */
  storages: z.array(z.object({ environment_id: z.uuid(), location: z.string() })).default([]),
  /** Identifies the secrets key without revealing it. */
  key: sha256,
  tables: z.record(z.string(), z.object({ rows: z.int(), sha256 })),
  sequences: z.record(z.string(), z.string()),
  objects: z.object({ count: z.int(), bytes: z.int(), sha256 }),
});
export type Manifest = z.infer<typeof manifestSchema>;

const path = z.string().refine((text) => !text.split('/').some((part) => part === '' || part === '.' || part === '..'));
const objectSchema = z.object({ path, size: z.int(), sha256 });
export type BackedUpObject = z.infer<typeof objectSchema>;

/** No object of the instance's storage has a path that starts with a dot. */
const OF_ENVIRONMENTS = '.environments';
const WITH_LONG_NAMES = '.long-names';

type Roots = Pick<Manifest, 'storage' | 'storages'>;

/** The path in a backup of the object at a location. */
export function pathOf({ storage, storages }: Roots, location: string): string {
  const own = storages.find((of) => location.startsWith(`${of.location}/`));
  if (own === undefined) return location.slice(storage.length + 1);
  return `${OF_ENVIRONMENTS}/${own.environment_id}/${location.slice(own.location.length + 1)}`;
}

/** The location of an object by its path in a backup. */
export function locationOf({ storage, storages }: Roots, path: string): string {
  const [first, id, ...rest] = path.split('/');
  const own = first === OF_ENVIRONMENTS ? storages.find(({ environment_id }) => environment_id === id) : undefined;
  return own === undefined ? `${storage}/${path}` : `${own.location}/${rest.join('/')}`;
}

/** A folder that isn't a usable backup or can't receive one; the message says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

export const keyFingerprint = (key: string) => createHash('sha256').update(`svc backup ${key}`).digest('hex');
/** Names of files have up to 255 bytes. Names of objects in a bucket can have more, as can names that locations escape. */
const MAX_NAME_BYTES = 255;
/** A path has up to 4,096 bytes, and the folder of the backup needs some of them. */
const MAX_PATH_BYTES = 2048;

/** The file with the object of a path. */
export function objectFile(folder: string, path: string): string {
  const isTooLong = (name: string) => Buffer.byteLength(name) > MAX_NAME_BYTES;
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES && !path.split('/').some(isTooLong))
    return join(folder, 'objects', path);
  return join(folder, 'objects', WITH_LONG_NAMES, createHash('sha256').update(path).digest('hex'));
}

export const tableFile = (folder: string, table: string) => join(folder, 'database', `${table}.jsonl.gz`);

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => null);
  if (text === null) throw new BackupError(`${folder} doesn't contain a complete backup: manifest.json is missing.`);
  const damaged = (cause: string) =>
    new BackupError(`${folder} is a backup in an unknown format, or its manifest.json is damaged: ${cause}`);
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    throw damaged((error as Error).message);
  }
  const read = manifestSchema.safeParse(manifest);
  if (!read.success) throw damaged(z.prettifyError(read.error));
  return read.data;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** @throws BackupError if the file isn't the one that was written */
export async function requireWhole(file: string, expected: string): Promise<void> {
  const found = await hashOf(file).catch(() => 'missing');
  if (found !== expected)
    throw new BackupError(`${file} is ${found === 'missing' ? 'missing' : 'damaged'}. Use another backup.`);
}

/** Lines that end with a line feed only: Node's own reader also splits at U+2028. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = (rest + (chunk as string)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** The objects of a backup. @throws BackupError */
export async function* objectsOf(folder: string, { objects }: Manifest): AsyncGenerator<BackedUpObject> {
  const file = join(folder, 'objects.jsonl');
  await requireWhole(file, objects.sha256);
  for await (const line of linesOf(createReadStream(file))) yield objectSchema.parse(JSON.parse(line));
}

/** The rows of a table. @throws BackupError */
export async function* rowsOf(folder: string, { tables }: Manifest, table: string): AsyncGenerator<string> {
  const file = tableFile(folder, table);
  await requireWhole(file, tables[table]?.sha256 ?? '');
  yield* linesOf(createReadStream(file).pipe(createGunzip()));
}

/** Reads every file of a backup. @throws BackupError naming the first file that has changed */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const [table, { sha256 }] of Object.entries(manifest.tables))
    await requireWhole(tableFile(folder, table), sha256);
  let count = 0;
  for await (const { path, sha256 } of objectsOf(folder, manifest)) {
    await requireWhole(objectFile(folder, path), sha256);
    count++;
  }
  if (count !== manifest.objects.count)
    throw new BackupError(`${folder} lists only ${count} of ${manifest.objects.count} objects.`);
  return manifest;
}
