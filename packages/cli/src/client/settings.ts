import { allowsInsecure, DEFAULT_PROFILE, DEFAULT_URL, isAddressOf, type Profile } from '@svc/sdk';
import type { Io } from '../terminal/io.ts';
import { readProfiles } from './profiles.ts';

export interface Setting {
  value: string | undefined;
  /** Where the value comes from, for `svc auth status`. */
  source: string;
}

export interface Settings {
  profile: Setting;
  url: Setting;
  token: Setting;
  env: Setting;
  /** Whether the token may be sent unencrypted. */
  allowInsecure: boolean;
}

export interface SettingFlags {
  profile?: string | undefined;
  url?: string | undefined;
  env?: string | undefined;
  allowInsecure?: boolean | undefined;
}

/** Reads each setting from the option, the variable, the profile or the default, in this order. */
export async function readSettings(io: Io, flags: SettingFlags): Promise<Settings> {
  const profile = first([
    [flags.profile, '--profile'],
    [io.env.SVC_PROFILE, 'SVC_PROFILE'],
    [DEFAULT_PROFILE, 'default'],
  ]);
  const profiles = readProfiles(io);
  const saved: Profile = profiles[profile.value ?? DEFAULT_PROFILE] ?? {};
  const where = `profile ${profile.value}`;
  const url = first([
    [flags.url, '--url'],
    [io.env.SVC_URL, 'SVC_URL'],
    [saved.url, where],
    [DEFAULT_URL, 'default'],
  ]);
  return {
    profile,
    url,
    token: first([
      [io.env.SVC_TOKEN, 'SVC_TOKEN'],
      // Nobody else is to receive it.
      [isAddressOf(saved, url.value ?? DEFAULT_URL) ? saved.token : undefined, where],
    ]),
    env: first([
      [flags.env, '--env'],
      [io.env.SVC_ENV, 'SVC_ENV'],
      [saved.env, where],
    ]),
    allowInsecure: flags.allowInsecure || (allowsInsecure(io.env) ?? allowsUnencrypted(saved, url.value)),
  };
}

/** Whether the profile allows it for this address, which must be its own. */
export const allowsUnencrypted = (saved: Profile, address = DEFAULT_URL): boolean =>
  saved.allow_insecure === true && isAddressOf(saved, address);

function first(candidates: readonly (readonly [string | undefined, string])[]): Setting {
  const found = candidates.find(([value]) => value !== undefined && value !== '');
  return found ? { value: found[0], source: found[1] } : { value: undefined, source: 'not set' };
}
