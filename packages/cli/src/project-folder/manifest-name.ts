import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diagnosticText, parseManifest } from '@svc/core/deploys';
import { usageError } from '../cli-error.ts';
import { MANIFEST } from './pack-folder.ts';

/**
 * The repository that the `name` of a manifest names, for a deploy without `--repo`.
 *
 * @throws CliError if the folder has no manifest, or the manifest has problems or no name
 */
export async function repositoryOfManifest(folder: string): Promise<string> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (text === null) {
    throw usageError(`Name the repository with --repo, or set name in ${MANIFEST}: ${folder} has no ${MANIFEST}.`);
  }
  const { manifest, problems } = parseManifest(text);
  if (manifest === null) throw usageError(problems.map(diagnosticText).join('\n'));
  const { name } = manifest;
  if (name !== null && name !== '') return name;
  throw usageError(
    `${join(folder, MANIFEST)} has no name. Add "name: REPOSITORY", or name the repository with --repo.`,
  );
}
