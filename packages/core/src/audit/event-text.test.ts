import { eventText } from './event-text.ts';

test.each([
  ['AUTHORIZATION_DENIED', { action: 'RUN', object: {}, route: 'POST /x', reason: 'not granted' }, 'RUN: not granted'],
  [
    'AUTHORIZATION_DENIED',
    {
      action: 'RUN',
      object: { environment: 'dev', namespace: null, table: null },
      reason: 'no grant allows RUN on dev',
    },
    'no grant allows RUN',
  ],
  ['AUTHORIZATION_DENIED', { action: null, reason: 'a task token' }, 'a task token'],
  ['GRANT_CREATED', { id: '1', role: null, action: 'RUN', principal: 'ann', group: null }, 'RUN to ann'],
  ['GRANT_EXPIRED', { role: 'ANALYST', action: null, principal: 'ann', group: null }, 'ANALYST to ann'],
  ['GRANT_REVOKED', { role: 'ADMIN', action: null, principal: null, group: 'crew' }, 'ADMIN to group crew'],
  ['QUERY_COMPLETED', { status: 'succeeded', sql_text: { sha256: 'x', length: 1 } }, 'succeeded'],
  ['QUERY_COMPLETED', { status: 'failed', sql_text: 'SELECT\n 1' }, 'failed: SELECT 1'],
  ['TABLE_WRITE', { table_id: '1', mode: 'append', rows: 3, watermark: null }, 'mode=append rows=3'],
  ['PRINCIPAL_CREATED', { principal_id: '1', name: 'x'.repeat(90) }, `name=${'x'.repeat(64)}…`],
] as const)('%s is summarized', (type, detail, expected) => {
  expect(eventText({ type, detail: { ...detail } })).toBe(expected);
});
