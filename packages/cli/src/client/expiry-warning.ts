import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escaped } from '../output/escape.ts';
import { time } from '../output/format.ts';
import type { Io } from '../terminal/io.ts';

const DAY_MS = 86_400_000;

/**
 * Warns on a terminal that the token expires soon (TOKEN-3), at most once a day for each profile. The file with the times of the warnings isn't
 * needed: without it, the next command warns again.
 */
export async function warnOfExpiry(
  io: Pick<Io, 'configFolder' | 'interactive' | 'now' | 'stderr'>,
  { expiresAt, profile }: { expiresAt: string; profile: string },
): Promise<void> {
  if (!io.interactive || Number.isNaN(Date.parse(expiresAt))) return;
  const file = join(io.configFolder, 'expiry-warnings.json');
  const warned = await timesIn(file);
  const now = io.now().getTime();
  const last = Date.parse(warned[profile] ?? '');
  if (last <= now && now - last < DAY_MS) return;
  io.stderr(
    `Your token expires at ${escaped(time(expiresAt))}. Replace it: svc token list, then svc token rotate ID\n`,
  );
  const text = JSON.stringify({ ...warned, [profile]: new Date(now).toISOString() });
  await mkdir(io.configFolder, { recursive: true, mode: 0o700 })
    .then(() => writeFile(file, `${text}\n`, { mode: 0o600 }))
    .catch(() => undefined);
}

async function timesIn(file: string): Promise<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, string>) : {};
  } catch {
    return {};
  }
}
