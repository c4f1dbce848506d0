import { readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { usage } from '../exit.ts';
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

/** The profiles; none without a file. @throws Failed when others may read the file, or it is no JSON */
export async function readProfiles(io: Pick<Io, 'configFolder'>): Promise<Profiles> {
  const file = profileFile(io);
  let text: string;
  try {
    // At once: Node loads as much again for promises of files, and every command comes by here.
    const { mode } = statSync(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw usage(`${file} holds tokens and others may read it.`, `chmod 600 ${file}`);
    }
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    return JSON.parse(text) as Profiles;
  } catch {
    throw usage(`${file} is no JSON. Mend it, or remove it and sign in again.`, 'svc login');
  }
}

/** Writes one profile, readable by its owner alone. */
export async function saveProfile(io: Pick<Io, 'configFolder'>, name: string, profile: Profile): Promise<void> {
  const file = profileFile(io);
  const profiles = { ...(await readProfiles(io)), [name]: profile };
  await mkdir(io.configFolder, { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  await chmod(fresh, 0o600);
  await rename(fresh, file);
}
