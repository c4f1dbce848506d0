import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  type Asset,
  type ProjectDiagnostic,
  parseSeed,
  SEED_FOLDER,
  seedFileOf,
  settingsFileOf,
} from '@svc/core/deploys';
import type { Sandbox } from '@svc/lake/queries';
import { inferLoadColumns } from '@svc/lake/writes';
import { findFiles } from './find-files.ts';
import { MAX_TEXT_BYTES, readText } from './read-text.ts';

/** Every version of a project has its seeds. */
const MAX_SEED_BYTES = 16 * 1024 * 1024;

interface SeedOptions {
  readonly sandbox: Sandbox;
  readonly owner: string;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the project's seeds, with the columns that their CSV files have (DEPLOY-23). */
export async function readSeeds(dir: string, options: SeedOptions, problems: ProjectDiagnostic[]): Promise<Asset[]> {
  const files = await findFiles(dir, SEED_FOLDER, '.csv');
  const assets: Asset[] = [];
  for (const file of files) {
    options.signal?.throwIfAborted();
    const known = problems.length;
    const settings = await readText(dir, settingsFileOf(file), MAX_TEXT_BYTES, problems);
    const path = join(dir, file);
    const unusable = await unusableSeed(file, path);
    if (unusable !== null) {
      problems.push({ file, line: null, ...unusable });
      continue;
    }
    const inferred = await inferLoadColumns(options.sandbox, { format: 'csv', path, owner: options.owner });
    if (!inferred.ok) problems.push({ file, line: null, message: inferred.message, remedy: null });
    if (!inferred.ok || problems.length > known) continue;
    const read = parseSeed({ file, settings, sha256: await sha256Of(path), columns: inferred.columns });
    problems.push(...read.problems);
    if (read.asset !== null) assets.push(read.asset);
  }
  problems.push(...(await unusedSettings(dir, files)));
  return assets;
}

/** The start of files that are compressed with gzip or zstd. */
const COMPRESSED = /^(?:1f8b|28b52ffd)/;

async function unusableSeed(file: string, path: string): Promise<{ message: string; remedy: string } | null> {
  // The engine would treat these characters as a pattern.
  if (/[*?[\]]/.test(file)) return { message: 'its name has one of * ? [ ]', remedy: 'rename the file' };
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    if (size === 0) return { message: 'the file is empty', remedy: 'its first row names the columns' };
    if (size > MAX_SEED_BYTES)
      return { message: `it has ${size} bytes, more than ${MAX_SEED_BYTES}`, remedy: 'load it with svc table load' };
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return COMPRESSED.test(buffer.toString('hex'))
      ? { message: 'it is compressed', remedy: 'add the uncompressed file, or load it with svc table load' }
      : null;
  } finally {
    await handle.close();
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Settings that would be ignored. */
async function unusedSettings(dir: string, seeds: readonly string[]): Promise<ProjectDiagnostic[]> {
  const settings = await findFiles(dir, SEED_FOLDER, '.yaml');
  const alone = settings
    .filter((file) => !seeds.includes(seedFileOf(file)))
    .map((file) => ({
      file,
      line: null,
      message: `there is no ${seedFileOf(file)} for these settings`,
      remedy: 'add the CSV file, or remove the settings',
    }));
  const short = await findFiles(dir, SEED_FOLDER, '.yml');
  const misnamed = short
    .map((file) => ({ file, named: file.replace(/\.yml$/, '.yaml') }))
    .filter(({ named }) => seeds.includes(seedFileOf(named)))
    .map(({ file, named }) => ({
      file,
      line: null,
      message: 'the settings of a seed must end in .yaml',
      remedy: `rename it to ${named}`,
    }));
  return [...alone, ...misnamed];
}
