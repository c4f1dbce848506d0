import type { TableKind } from '../tables/index.ts';

/** Days of inactivity, 1 to 3,650, that a rule may name (specification 8). */
export const LEAST_DAYS = 1;
export const MOST_DAYS = 3650;
const DAY_MS = 86_400_000;

/** What a table itself says: at most one of the three. `on` is a date, `YYYY-MM-DD`. */
export interface OwnRule {
  days: number | null;
  on: string | null;
  never: boolean;
}

export const NO_RULE: OwnRule = { days: null, on: null, never: false };

/** All that decides whether and when a table expires. */
export interface RetentionFacts {
  kind: TableKind;
  own: OwnRule;
  environment: { days: number | null; setAt: Date | null; protected: boolean };
  /** The current version of a deployed project builds it. */
  built: boolean;
  held: boolean;
  /** The latest of its changes and reads. */
  activityAt: Date;
}

/** Which rule holds for a table, and when it therefore expires. */
export interface Retention extends OwnRule {
  source: 'table' | 'environment' | null;
  /** When the rule alone would make it expire. */
  dueAt: Date | null;
  /** When it does expire: null also while something keeps it. */
  expiresAt: Date | null;
  kept: 'protected' | 'project_asset' | null;
}

const plusDays = (from: Date, days: number) => new Date(from.getTime() + days * DAY_MS);

/** The rule in force and its outcome: the table's own (never included) goes before its environment's (specification 2.11). */
export function retentionOf(facts: RetentionFacts): Retention {
  const { kind, own, environment, activityAt } = facts;
  if (kind !== 'managed') return { ...NO_RULE, source: null, dueAt: null, expiresAt: null, kept: null };
  if (own.never) return { ...own, source: 'table', dueAt: null, expiresAt: null, kept: null };
  if (own.on !== null) return kept(facts, { ...own, source: 'table' }, new Date(`${own.on}T00:00:00Z`));
  if (own.days !== null) return kept(facts, { ...own, source: 'table' }, plusDays(activityAt, own.days));
  if (environment.days === null) return { ...NO_RULE, source: null, dueAt: null, expiresAt: null, kept: null };
  // Never sooner than the days after the environment's rule was set.
  const setAt = environment.setAt ?? activityAt;
  const from = new Date(Math.max(setAt.getTime(), activityAt.getTime()));
  const rule = { ...NO_RULE, days: environment.days, source: 'environment' as const };
  return kept(facts, rule, plusDays(from, environment.days));
}

function kept(facts: RetentionFacts, rule: OwnRule & { source: 'table' | 'environment' }, dueAt: Date): Retention {
  const reason = facts.environment.protected ? 'protected' : facts.built ? 'project_asset' : null;
  return { ...rule, dueAt, expiresAt: reason !== null || facts.held ? null : dueAt, kept: reason };
}

/** True when the table expires sooner than before, a first expiry included. */
export function isShortened(before: Date | null, after: Date | null): boolean {
  if (after === null) return false;
  return before === null || after.getTime() < before.getTime();
}

/** What others than the owner need for a change: to drop it sooner, the right to drop; later or never, to write. */
export function rightToChange(before: Date | null, after: Date | null): 'DROP_TABLE' | 'WRITE_TABLE' {
  return isShortened(before, after) ? 'DROP_TABLE' : 'WRITE_TABLE';
}

/** A fixed day must be after today, in UTC. */
export function isAfterToday(on: string, now: Date): boolean {
  return on > now.toISOString().slice(0, 10);
}

/** True for a fixed day that has come: an undrop removes it. */
export function hasPassed(on: string | null, now: Date): boolean {
  return on !== null && !isAfterToday(on, now);
}

export function expiresSoon(expiresAt: Date | null, now: Date, warningDays: number): boolean {
  return expiresAt !== null && expiresAt.getTime() <= plusDays(now, warningDays).getTime();
}
