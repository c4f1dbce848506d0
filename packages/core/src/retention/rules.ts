import type { TableKind } from '../tables/index.ts';

/** Range of the days without activity in a rule (RETAIN-1). */
export const MIN_DAYS = 1;
export const MAX_DAYS = 3650;
const DAY_MS = 86_400_000;

/** The table's own rule: at most one of the three is set. `on` is a date, `YYYY-MM-DD`. */
export interface RetentionRule {
  days: number | null;
  on: string | null;
  never: boolean;
}

export const NO_RULE: RetentionRule = { days: null, on: null, never: false };

/** Everything that determines whether and when a table expires. */
export interface RetentionInput {
  kind: TableKind;
  own: RetentionRule;
  environment: { days: number | null; setAt: Date | null; protected: boolean };
  /** The active version of a project builds the table. */
  builtByProject: boolean;
  hasLegalHold: boolean;
  /** The latest change or read (RETAIN-3). */
  activityAt: Date;
}

/** The rule that applies to a table, and when the table therefore expires. */
export interface Retention extends RetentionRule {
  source: 'table' | 'environment' | null;
  /** When the rule alone would expire the table. */
  dueAt: Date | null;
  /** When the table does expire; null while something prevents it (RETAIN-4). */
  expiresAt: Date | null;
  kept: 'protected' | 'project_asset' | null;
}

const plusDays = (from: Date, days: number) => new Date(from.getTime() + days * DAY_MS);

/** The rule that applies and its result: the table's own, also `never`, comes before its environment's (RETAIN-1). */
export function retentionOf(input: RetentionInput): Retention {
  const { kind, own, environment, activityAt } = input;
  if (kind !== 'managed') return { ...NO_RULE, source: null, dueAt: null, expiresAt: null, kept: null };
  if (own.never) return { ...own, source: 'table', dueAt: null, expiresAt: null, kept: null };
  if (own.on !== null) return withExpiry(input, { ...own, source: 'table' }, new Date(`${own.on}T00:00:00Z`));
  if (own.days !== null) return withExpiry(input, { ...own, source: 'table' }, plusDays(activityAt, own.days));
  if (environment.days === null) return { ...NO_RULE, source: null, dueAt: null, expiresAt: null, kept: null };
  // Tables that were already unused when the rule was set get the full number of days from then (RETAIN-2).
  const setAt = environment.setAt ?? activityAt;
  const from = new Date(Math.max(setAt.getTime(), activityAt.getTime()));
  const rule = { ...NO_RULE, days: environment.days, source: 'environment' as const };
  return withExpiry(input, rule, plusDays(from, environment.days));
}

function withExpiry(
  input: RetentionInput,
  rule: RetentionRule & { source: 'table' | 'environment' },
  dueAt: Date,
): Retention {
  const reason = input.environment.protected ? 'protected' : input.builtByProject ? 'project_asset' : null;
  return { ...rule, dueAt, expiresAt: reason !== null || input.hasLegalHold ? null : dueAt, kept: reason };
}

/** Whether the table expires sooner than before; true for a first expiry (RETAIN-8). */
export function isShortened(before: Date | null, after: Date | null): boolean {
  if (after === null) return false;
  return before === null || after.getTime() < before.getTime();
}

/**
 * The permission that callers other than the owner need: DROP_TABLE to expire sooner, WRITE_TABLE for later or never
 * (RETAIN-5).
 */
export function actionToChange(before: Date | null, after: Date | null): 'DROP_TABLE' | 'WRITE_TABLE' {
  return isShortened(before, after) ? 'DROP_TABLE' : 'WRITE_TABLE';
}

/** A fixed day must be after today, in UTC (RETAIN-1). */
export function isAfterToday(on: string, now: Date): boolean {
  return on > now.toISOString().slice(0, 10);
}

/** Whether a fixed day has started; an undrop then removes it (DROP-7). */
export function hasPassed(on: string | null, now: Date): boolean {
  return on !== null && !isAfterToday(on, now);
}

export function expiresSoon(expiresAt: Date | null, now: Date, warningDays: number): boolean {
  return expiresAt !== null && expiresAt.getTime() <= plusDays(now, warningDays).getTime();
}
