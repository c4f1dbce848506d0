import type { Table, TableRetention } from '@svc/sdk';
import { plural, time } from '../output/format.ts';

/** Describes the active rule. */
export function ruleText({
  source,
  days,
  on,
  never,
}: Pick<TableRetention, 'source' | 'days' | 'on' | 'never'>): string {
  if (source === null) return 'none';
  const rule = never ? 'never' : on !== null ? `on ${on}` : `after ${plural(days ?? 0, 'day')} without use`;
  return source === 'environment' ? `${rule} (set by the environment)` : rule;
}

const NO_EXPIRY_TEXTS = {
  protected: 'never: the environment is protected',
  project_asset: 'never: a deployed project builds it',
} as const;

/** When a table expires, or why it doesn't. */
export function expiryText({ expires_at, kept, hold, source, never }: TableRetention): string {
  if (kept !== null) return NO_EXPIRY_TEXTS[kept];
  if (hold !== null)
    return hold.until === null ? 'not while it is on hold' : `not while it is on hold, until ${time(hold.until)}`;
  return expires_at === null ? (source === null || never ? 'never' : '-') : time(expires_at);
}

/** The command that keeps a table from expiring. */
export const neverExpireCommand = (env: string, table: string) => `svc table retention ${table} --never --env ${env}`;

/** The reason and the end of a hold. */
export function legalHoldText({ reason, until, set_by }: NonNullable<Table['hold']>): string {
  return `${reason} (by ${set_by ?? '-'}${until === null ? '' : `, until ${time(until)}`})`;
}

/** The warning about a table that expires soon, with the command that keeps it. */
export function expiresSoonText(env: string, { namespace, name, expires_at }: Table): string {
  return `${namespace}.${name} expires at ${time(expires_at)} unless it is used before then or has a fixed expiry day. To keep it: ${neverExpireCommand(env, `${namespace}.${name}`)}`;
}
