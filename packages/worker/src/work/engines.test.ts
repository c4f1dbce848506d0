import type { Settings } from '@svc/core/settings';
import type { TrinoEngine } from '@svc/lake/engines';
import type { QueryEngine } from '@svc/lake/queries';
import { engineOf } from './engines.ts';

const duckdb = { name: 'duckdb' } as QueryEngine;
const trino = { name: 'trino' } as TrinoEngine;
const SQL = { language: 'sql', sql: 'SELECT 1' } as const;
const PYTHON = { language: 'python', function: 'f' } as const;

const chosen = (
  environments: string[],
  engine: 'duckdb' | 'trino' | 'spark' | undefined,
  source: typeof SQL | typeof PYTHON,
) =>
  engineOf(
    { engines: { duckdb, trino }, settings: { trinoEnvironments: environments } as unknown as Settings },
    'prod',
    { name: 'a.b', engine, source },
  );

test.each([
  [[], undefined, SQL, duckdb],
  [['prod'], undefined, SQL, trino],
  [['dev', '*'], undefined, SQL, trino],
  [['dev'], undefined, SQL, duckdb],
  [['prod'], undefined, PYTHON, duckdb],
  [['prod'], 'spark', PYTHON, duckdb],
  [['prod'], 'duckdb', SQL, duckdb],
  [[], 'trino', SQL, trino],
] as const)('environments %p and a header with %p (RUN-23)', (environments, engine, source, expected) => {
  expect(chosen([...environments], engine, source)).toBe(expected);
});

test('without a Trino, an asset that needs it fails (RUN-23)', () => {
  const deps = { engines: { duckdb, trino: null }, settings: { trinoEnvironments: [] } as unknown as Settings };
  expect(engineOf(deps, 'prod', { name: 'a.b', engine: 'trino', source: SQL })).toMatchObject({
    code: 'engine-unavailable',
    detail: "a.b is built on Trino, which this service doesn't have.",
  });
});
