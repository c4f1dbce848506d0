/** The rules that the model uses; times in milliseconds since 1970. */
export interface ModelRules {
  /** The end of the undo period of a managed table's drop. */
  purgeAfter: (reason: ModelDrop['reason'], undoDays: number, now: number) => number;
  refusal: (drop: ModelDrop, now: number) => string | null;
  expiresAt: (table: ModelTable, environment: ModelEnvironment) => number | null;
}

export interface ModelDrop {
  reason: 'user' | 'purge' | 'environment_deleted' | 'retention';
  at: number;
  purgeAfter: number;
  started: boolean;
  /** Names of the policies that the drop took away. */
  took: string[];
}

export interface ModelTable {
  serial: number;
  name: string;
  activity: number;
  rule: { days: number | null; on: string | null; never: boolean };
  policies: Set<string>;
  held: boolean;
  drop: ModelDrop | null;
  files: boolean;
  purged: boolean;
  /** The serial of the table whose folder contains it, or null. */
  outer: number | null;
}

export interface ModelEnvironment {
  deleted: { purgeAfter: number; purge: boolean } | null;
  retention: { days: number; setAt: number } | null;
  tables: ModelTable[];
}

const DAY_MS = 86_400_000;

/** The rules of the specification as arithmetic, deliberately independent of the service's implementation. */
export const SPECIFIED: ModelRules = {
  purgeAfter(reason, undoDays, now) {
    if (reason === 'purge') return now;
    if (reason === 'retention' && undoDays < 1) return now + DAY_MS;
    return now + undoDays * DAY_MS;
  },
  refusal(drop, now) {
    if (drop.reason === 'purge') return 'dropped-with-purge';
    if (drop.started) return 'purge-started';
    return now < drop.purgeAfter ? null : 'undo-period-over';
  },
  expiresAt({ rule, activity }, { retention }) {
    if (rule.never) return null;
    if (rule.on !== null) return Date.parse(`${rule.on}T00:00:00Z`);
    if (rule.days !== null) return activity + rule.days * DAY_MS;
    if (retention === null) return null;
    return Math.max(activity + retention.days * DAY_MS, retention.setAt + retention.days * DAY_MS);
  },
};
