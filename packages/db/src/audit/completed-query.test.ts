import { completedQuery } from './completed-query.ts';

// The astral letter is one code point, two UTF-16 code units and four bytes.
const SQL = "SELECT 'geheim \u{1d11e}'";

test.each([
  ['full', SQL],
  ['hash', { sha256: '92d886072f19f9e17ac2ad8dfb9d8f88a306ea51d936affab31b9f84ff428bda', length: 17 }],
  ['off', null],
] as const)('with %s, the event stores %j of the statement (AUDIT-3, AUDIT-11)', (mode, sql_text) => {
  const query = { id: 'q', status: 'succeeded' as const, sql_text: SQL, tables: ['t'] };
  expect(completedQuery(query, mode)).toEqual({ query_id: 'q', status: 'SUCCEEDED', sql_text, tables: ['t'] });
});

test('the event of a failed query repeats no error text (AUDIT-2)', () => {
  const failed = { id: 'q', status: 'failed' as const, sql_text: SQL, tables: [], error: { detail: 'geheim' } };
  expect(JSON.stringify(completedQuery(failed, 'off'))).not.toContain('geheim');
});
