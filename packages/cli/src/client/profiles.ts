import { readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { usageError } from '../cli-error.ts';
import type { Io } from '../terminal/io.ts';

export interface Profile {
  url?: string;
  token?: string;
  env?: string;
}

type Profiles = Record<string, Profile>;

export function profileFile({ configFolder }: Pick<Io, 'configFolder'>): string {
  return join(configFolder, 'profiles.json');
}

/** Reads the profiles; empty if there is no file. @throws CliError if other users can read the file, or it isn't JSON */
export async function readProfiles(io: Pick<Io, 'configFolder'>): Promise<Profiles> {
  const file = profileFile(io);
  let text: string;
  try {
    // Synchronous because every command reads this file, and node:fs/promises is slow to load.
    const { mode } = statSync(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw usageError(`${file} contains tokens, but other users can read it.`, `chmod 600 ${file}`);
    }
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    return JSON.parse(text) as Profiles;
  } catch {
    throw usageError(`${file} is not valid JSON. Fix it, or delete it and sign in again.`, 'svc login');
  }
}

/** Saves a profile in a file that only its owner can read. */
export async function saveProfile(io: Pick<Io, 'configFolder'>, name: string, profile: Profile): Promise<void> {
  const file = profileFile(io);
  const profiles = { ...(await readProfiles(io)), [name]: profile };
  await mkdir(io.configFolder, { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, file);
}
