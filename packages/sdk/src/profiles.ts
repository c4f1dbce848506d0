import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { baseAddress } from './address.ts';
import { DEFAULT_URL } from './defaults.ts';
import { SvcError } from './errors.ts';
import { allowsInsecure } from './plain-http.ts';

/** What `svc login` saves under a name. */
export interface Profile {
  url?: string;
  token?: string;
  env?: string;
  /** Send the token to `url` even if it is unencrypted. */
  allow_insecure?: boolean;
}

export const DEFAULT_PROFILE = 'default';

/** The file in which `svc login` saves profiles. */
export function profileFile(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'svc', 'profiles.json');
}

/** Reads a file of profiles; empty if there is no file. @throws SvcError if other users can read the file, or it doesn't contain profiles */
export function readProfiles(file: string): Record<string, Profile> {
  let text: string;
  try {
    const { mode } = statSync(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      const remedy = `chmod 600 ${file}`;
      throw new SvcError(`${file} contains tokens, but other users can read it.`, { code: 'unsafe-profiles', remedy });
    }
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  const unusable = (fault: string) =>
    new SvcError(`${file} ${fault}. Fix it, or delete it and sign in again.`, {
      code: 'invalid-profiles',
      remedy: 'svc login',
    });
  let profiles: unknown;
  try {
    profiles = JSON.parse(text);
  } catch {
    throw unusable('is not valid JSON');
  }
  if (!isObject(profiles)) throw unusable('must contain one object with the profiles by name');
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isProfile(profile))
      throw unusable(
        `has a profile ${JSON.stringify(name)} that isn't an object with "url", "token" and "env" as strings`,
      );
  }
  return profiles as Record<string, Profile>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isProfile = (value: unknown): boolean =>
  isObject(value) &&
  [value['url'], value['token'], value['env']].every((text) => text === undefined || typeof text === 'string');

export interface Credentials {
  url: string | undefined;
  token: string | undefined;
  /** Whether the token may be sent unencrypted. */
  allowInsecure: boolean;
}

/**
 * Address and token of a client: the option, else the variable, else the profile's. The token of a profile and its
 * `allow_insecure` are used only for the profile's own address, the token never instead of an option, even an empty one.
 */
export function readCredentials(
  options: {
    url?: string | undefined;
    token?: string | undefined;
    profile?: string | undefined;
    allowInsecure?: boolean | undefined;
  },
  env: NodeJS.ProcessEnv,
): Credentials {
  const url = options.url ?? (env.SVC_URL || undefined);
  const token = (options.token ?? env.SVC_TOKEN)?.trim() || undefined;
  const allowed = options.allowInsecure ?? allowsInsecure(env);
  if (url !== undefined && (token !== undefined || options.token !== undefined))
    return { url, token, allowInsecure: allowed ?? false };
  const name = options.profile ?? (env.SVC_PROFILE || DEFAULT_PROFILE);
  const saved = readProfiles(profileFile(env))[name] ?? {};
  const isOwn = url === undefined || isAddressOf(saved, url);
  return {
    url: url ?? saved.url,
    token: token ?? (isOwn && options.token === undefined ? saved.token : undefined),
    allowInsecure: allowed ?? (isOwn && saved.allow_insecure === true),
  };
}

/** Whether an address is that of a profile, for which its token and `allow_insecure` are. */
export const isAddressOf = (profile: Profile, url: string): boolean =>
  baseAddress(profile.url ?? DEFAULT_URL) === baseAddress(url);
