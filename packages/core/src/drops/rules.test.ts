import fc from 'fast-check';
import { retentionOf } from '../retention/index.ts';
import { chooseDrop, type DropReason, purgeAfter, undropFailure } from './rules.ts';
import { histories, Model, type ModelRules, SPECIFIED } from './testing/index.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-03-01T08:00:00Z');
const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

test.each<[DropReason, 'managed' | 'artifact' | 'external' | 'view', number, number | null]>([
  ['user', 'managed', 7, 7],
  ['user', 'artifact', 7, 7],
  ['user', 'managed', 0, 0],
  ['user', 'managed', 365, 365],
  ['purge', 'managed', 7, 0],
  ['retention', 'managed', 7, 7],
  // An expiry stays restorable for a day at least.
  ['retention', 'managed', 0, 1],
  ['environment_deleted', 'managed', 7, 7],
  // External tables and views have no files to delete, so no undo period.
  ['user', 'external', 7, null],
  ['purge', 'external', 7, null],
  ['environment_deleted', 'view', 7, null],
])(
  'a drop by %s of a %s table with %i undo days ends after %p days (DROP-1, DROP-2, DROP-3)',
  (reason, kind, undoDays, days) => {
    const until = purgeAfter({ reason, kind, undoDays, now: NOW });
    expect(until).toEqual(days === null ? null : later(days));
  },
);

test.each([
  [{ reason: 'user', purgeAfter: later(1), purgeStartedAt: null }, null],
  [{ reason: 'retention', purgeAfter: later(1), purgeStartedAt: null }, null],
  [{ reason: 'user', purgeAfter: later(0), purgeStartedAt: null }, 'undo-period-over'],
  [{ reason: 'user', purgeAfter: null, purgeStartedAt: null }, 'undo-period-over'],
  [{ reason: 'user', purgeAfter: later(1), purgeStartedAt: NOW }, 'purge-started'],
  [{ reason: 'purge', purgeAfter: later(0), purgeStartedAt: null }, 'dropped-with-purge'],
] as const)('undropping %j is refused with %p (DROP-5, DROP-9)', (drop, refusal) => {
  expect(undropFailure(drop, NOW)).toBe(refusal);
});

test('of several drops, undrop chooses the newest that can be undone, otherwise the newest (DROP-5)', () => {
  const over = { reason: 'user' as const, purgeAfter: later(-1), purgeStartedAt: null };
  const purged = { reason: 'purge' as const, purgeAfter: later(0), purgeStartedAt: null };
  const good = { reason: 'user' as const, purgeAfter: later(3), purgeStartedAt: null };
  const older = { ...good };
  expect(chooseDrop([purged, good, older], NOW)).toBe(good);
  expect(chooseDrop([purged, over], NOW)).toBe(purged);
  expect(chooseDrop([], NOW)).toBeNull();
});

/** The service's own rules. */
const RULES: ModelRules = {
  purgeAfter: (reason, undoDays, now) =>
    purgeAfter({ kind: 'managed', reason, undoDays, now: new Date(now) })!.getTime(),
  refusal: ({ reason, purgeAfter: until, started }, now) =>
    undropFailure({ reason, purgeAfter: new Date(until), purgeStartedAt: started ? NOW : null }, new Date(now)),
  expiresAt: ({ rule, activity }, { retention }) =>
    retentionOf({
      kind: 'managed',
      own: rule,
      environment: {
        days: retention?.days ?? null,
        setAt: retention === null ? null : new Date(retention.setAt),
        protected: false,
      },
      builtByProject: false,
      hasLegalHold: false,
      activityAt: new Date(activity),
    }).expiresAt?.getTime() ?? null,
};

/** Called half a million times here, and much faster than an expectation. */
function same(a: unknown, b: unknown): void {
  if (JSON.stringify(a) !== JSON.stringify(b)) expect(a).toEqual(b);
}

test('20,000 random histories match the specification: no file is deleted early, none is left behind (DROP-2, DROP-10, RETAIN-2)', () => {
  fc.assert(
    fc.property(histories, (ops) => {
      const [specified, actual] = [new Model(SPECIFIED), new Model(RULES)];
      let now = NOW.getTime();
      for (const op of ops) {
        if (op.kind === 'pass') now += op.days * DAY_MS;
        same(actual.apply(op, now), specified.apply(op, now));
        for (const { drop, files } of actual.environment?.tables ?? [])
          if (!files && drop!.purgeAfter > now) throw new Error('files went before the period was over');
      }
      same(actual.observe(now), specified.observe(now));
      // Without legal holds and with every undo period over, one sweep deletes all files of dropped tables.
      const undoUntil = now + 1000 * DAY_MS;
      for (const table of actual.environment?.tables ?? []) table.held = false;
      actual.apply({ kind: 'sweep', kill: null }, undoUntil);
      // A table whose folder contains another one waits for that one.
      const left = (actual.environment?.tables ?? []).filter(({ purged }) => !purged);
      for (const { serial, drop, files } of left) {
        const waits = left.some(({ outer }) => outer === serial);
        same(drop !== null && files && drop.at < undoUntil && !waits, false);
      }
    }),
    { numRuns: 20_000 },
  );
}, 120_000);
