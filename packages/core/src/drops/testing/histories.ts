import fc from 'fast-check';

type Named = { name: string };

/** One step of a history. */
export type Op =
  | { kind: 'makeEnvironment' | 'restoreEnvironment' }
  | { kind: 'deleteEnvironment'; purge: boolean }
  | { kind: 'environmentRetention'; days: number | null }
  | { kind: 'undoDays'; days: number }
  | { kind: 'pass'; days: number }
  | { kind: 'sweep'; kill: 'purge.taken' | 'purge.deleted' | null }
  | ({ kind: 'create'; days: number | null } & Named)
  | ({ kind: 'write' | 'read' | 'filter' } & Named)
  | ({ kind: 'hold' | 'release' } & Named)
  | ({ kind: 'grant' | 'revoke'; to: 0 | 1 } & Named)
  | ({ kind: 'retention'; days: number | null; inDays: number | null; never: boolean } & Named)
  | ({ kind: 'drop'; purge: boolean } & Named)
  | ({ kind: 'undrop'; as: string | null } & Named)
  // Operations of engines through the catalog interface.
  | ({ kind: 'engineCreate'; inside: string | null } & Named)
  | ({ kind: 'engineDrop'; purge: boolean } & Named)
  | ({ kind: 'register'; as: string | null } & Named)
  | ({ kind: 'rename'; to: string } & Named);

const name = fc.constantFrom('a', 'b');
const days = fc.constantFrom(1, 3, 8);
const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.oneof(fc.constant(null), arbitrary);
const seldom = fc.integer({ min: 0, max: 5 }).map((n) => n === 0);
const rule = fc.oneof(
  days.map((d) => ({ days: d as number | null, inDays: null as number | null, never: false })),
  fc.constantFrom(1, 4).map((n) => ({ days: null, inDays: n, never: false })),
  fc.constant({ days: null, inDays: null, never: true }),
);

const steps: readonly [weight: number, fc.Arbitrary<Op>][] = [
  [4, fc.record({ kind: fc.constant('create' as const), name, days: orNull(days) })],
  [2, fc.record({ kind: fc.constantFrom('write' as const, 'read' as const), name })],
  [2, fc.record({ kind: fc.constantFrom('grant' as const, 'revoke' as const), name, to: fc.constantFrom(0, 1) })],
  [1, fc.record({ kind: fc.constant('filter' as const), name })],
  [1, fc.record({ kind: fc.constantFrom('hold' as const, 'release' as const), name })],
  [2, fc.record({ name, rule }).map((r) => ({ kind: 'retention' as const, name: r.name, ...r.rule }))],
  [4, fc.record({ kind: fc.constant('drop' as const), name, purge: seldom })],
  [4, fc.record({ kind: fc.constant('undrop' as const), name, as: orNull(fc.constantFrom('c', 'a')) })],
  [2, fc.record({ kind: fc.constant('engineCreate' as const), name, inside: orNull(name) })],
  [2, fc.record({ kind: fc.constant('engineDrop' as const), name, purge: seldom })],
  [2, fc.record({ kind: fc.constant('register' as const), name, as: orNull(fc.constantFrom('c', 'a')) })],
  [1, fc.record({ kind: fc.constant('rename' as const), name, to: fc.constantFrom('a', 'b', 'c') })],
  [1, fc.record({ kind: fc.constant('deleteEnvironment' as const), purge: seldom })],
  [2, fc.constant({ kind: 'restoreEnvironment' as const })],
  [1, fc.constant({ kind: 'makeEnvironment' as const })],
  [1, fc.record({ kind: fc.constant('environmentRetention' as const), days: orNull(days) })],
  [1, fc.record({ kind: fc.constant('undoDays' as const), days: fc.constantFrom(0, 1, 7) })],
  [4, fc.record({ kind: fc.constant('pass' as const), days: fc.constantFrom(0.25, 1, 3, 8) })],
  [
    4,
    fc.record({
      kind: fc.constant('sweep' as const),
      kill: fc.constantFrom(null, null, null, 'purge.taken' as const, 'purge.deleted' as const),
    }),
  ],
];

/** Histories of one environment, from its creation. */
export const histories: fc.Arbitrary<Op[]> = fc
  .array(fc.oneof(...steps.map(([weight, arbitrary]) => ({ weight, arbitrary }))), { minLength: 5, maxLength: 30 })
  .map((ops) => [{ kind: 'makeEnvironment' }, ...ops]);

/** Runs that many random histories; a failing one is shrunk and reported. */
export function checkHistories(run: (ops: readonly Op[]) => Promise<void>, runs: number): Promise<void> {
  return fc.assert(fc.asyncProperty(histories, run), { numRuns: runs, endOnFailure: true, includeErrorInReport: true });
}
