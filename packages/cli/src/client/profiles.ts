import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Profile, readProfiles as readFile, SvcError } from '@svc/sdk';
import { usageError } from '../cli-error.ts';
import type { Io } from '../terminal/io.ts';

type Profiles = Record<string, Profile>;

export function profileFile({ configFolder }: Pick<Io, 'configFolder'>): string {
  return join(configFolder, 'profiles.json');
}

/** Reads the profiles; empty if there is no file. @throws CliError if other users can read the file, or it doesn't contain profiles */
export function readProfiles(io: Pick<Io, 'configFolder'>): Profiles {
  try {
    return readFile(profileFile(io));
  } catch (error) {
    throw error instanceof SvcError ? usageError(error.message, error.remedy) : error;
  }
}

/** Saves a profile in a file that only its owner can read. */
export async function saveProfile(io: Pick<Io, 'configFolder'>, name: string, profile: Profile): Promise<void> {
  const file = profileFile(io);
  const profiles = { ...readProfiles(io), [name]: profile };
  await mkdir(io.configFolder, { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, file);
}
