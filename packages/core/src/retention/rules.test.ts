import {
  actionToChange,
  expiresSoon,
  hasPassed,
  isAfterToday,
  isShortened,
  NO_RULE,
  type RetentionInput,
  retentionOf,
} from './index.ts';

const at = (day: number, hour = 8) => new Date(Date.UTC(2026, 2, day, hour));
const facts = (more: Partial<RetentionInput>): RetentionInput => ({
  kind: 'managed',
  own: NO_RULE,
  environment: { days: null, setAt: null, protected: false },
  builtByProject: false,
  hasLegalHold: false,
  activityAt: at(1),
  ...more,
});
const ruled = (days: number, setAt: Date, isProtected = false) => ({ days, setAt, protected: isProtected });

test.each<[string, Partial<RetentionInput>, object]>([
  ['no rule', {}, { source: null, expiresAt: null, kept: null }],
  ['days', { own: { ...NO_RULE, days: 5 } }, { source: 'table', days: 5, expiresAt: at(6), kept: null }],
  ['a fixed day', { own: { ...NO_RULE, on: '2026-03-09' } }, { source: 'table', expiresAt: at(9, 0) }],
  ['never', { own: { ...NO_RULE, never: true } }, { source: 'table', never: true, expiresAt: null, kept: null }],
  ["the environment's", { environment: ruled(5, at(1)) }, { source: 'environment', days: 5, expiresAt: at(6) }],
  ['not before its days after it was set', { environment: ruled(5, at(4)) }, { expiresAt: at(9) }],
  [
    'not before its days after the activity',
    { environment: ruled(5, at(1)), activityAt: at(7) },
    { expiresAt: at(12) },
  ],
  [
    "the table's goes before the environment's",
    { own: { ...NO_RULE, days: 20 }, environment: ruled(5, at(1)) },
    { source: 'table', days: 20, expiresAt: at(21) },
  ],
  [
    'never too',
    { own: { ...NO_RULE, never: true }, environment: ruled(5, at(1)) },
    { source: 'table', expiresAt: null },
  ],
  [
    'a protected environment keeps',
    { own: { ...NO_RULE, days: 5 }, environment: { days: null, setAt: null, protected: true } },
    { source: 'table', expiresAt: null, dueAt: at(6), kept: 'protected' },
  ],
  [
    'a project keeps',
    { own: { ...NO_RULE, days: 5 }, builtByProject: true },
    { expiresAt: null, kept: 'project_asset' },
  ],
  ['kept is null without a rule', { builtByProject: true }, { kept: null }],
  [
    'a hold keeps, in its own field',
    { own: { ...NO_RULE, days: 5 }, hasLegalHold: true },
    { expiresAt: null, kept: null },
  ],
  ['a view has none', { kind: 'view', environment: ruled(5, at(1)) }, { source: null, expiresAt: null }],
  ['an external table has none', { kind: 'external', environment: ruled(5, at(1)) }, { source: null }],
  ['an artifact has none', { kind: 'artifact', environment: ruled(5, at(1)) }, { source: null }],
])('%s (RETAIN-1, RETAIN-2, RETAIN-4)', (_, more, outcome) => {
  expect(retentionOf(facts(more))).toMatchObject(outcome);
});

test.each<[Date | null, Date | null, boolean]>([
  [null, at(5), true],
  [at(6), at(5), true],
  [at(5), at(5), false],
  [at(5), at(6), false],
  [at(5), null, false],
  [null, null, false],
])('from %p to %p is shortened: %p (RETAIN-8)', (before, after, shortened) => {
  expect(isShortened(before, after)).toBe(shortened);
  expect(actionToChange(before, after)).toBe(shortened ? 'DROP_TABLE' : 'WRITE_TABLE');
});

test('a day must be after today in UTC, and has passed once it has started (RETAIN-1, DROP-7)', () => {
  const evening = new Date('2026-03-01T23:59:59Z');
  expect(isAfterToday('2026-03-01', evening)).toBe(false);
  expect(isAfterToday('2026-03-02', evening)).toBe(true);
  expect(hasPassed('2026-03-02', evening)).toBe(false);
  expect(hasPassed('2026-03-02', new Date('2026-03-02T00:00:00Z'))).toBe(true);
  expect(hasPassed(null, evening)).toBe(false);
});

test('expiring soon means within the warning window or overdue', () => {
  expect([at(8), at(9), at(0)].map((day) => expiresSoon(day, at(1), 7))).toEqual([true, false, true]);
  expect(expiresSoon(null, at(1), 7)).toBe(false);
});
