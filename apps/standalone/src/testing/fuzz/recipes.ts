/** Bodies that a schema alone would seldom lead to: which fields go together is a rule of the route. */
export const RECIPES: Readonly<Record<string, readonly unknown[]>> = {
  'POST /api/v1/grants': [
    { kind: 'TABLE', principal: 'ann', action: 'READ_TABLE', environment: 'dev', namespace: 'raw', table: 'orders' },
    { kind: 'ENVIRONMENT', group: 'team', role: 'DATA_ENGINEER', environment: 'dev' },
    { kind: 'INSTANCE', principal: 'robot', role: 'ADMIN' },
    { kind: 'INSTANCE', principal: 'ann', action: 'READ_QUERY_TEXT' },
  ],
  'POST /api/v1/environments/{env}/namespaces/{path}/tables': [
    { name: 'fuzz', columns: [{ name: 'id', type: 'int' }] },
    { name: 'orders', columns: [{ name: 'id', type: 'int' }], expire_after: 30 },
  ],
  'PUT /api/v1/environments/{env}/namespaces/{path}/tables/{name}/retention': [
    { days: 30 },
    { on: '2030-01-01' },
    { never: true },
  ],
  'PUT /api/v1/environments/{env}/namespaces/{path}/tables/{name}/hold': [{ reason: 'audit' }],
  'POST /api/v1/environments/{env}/namespaces/{path}/tables/{name}/row-filters': [
    { principal: 'ann', predicate: 'id > 1' },
    { group: 'team', predicate: 'true' },
  ],
  'POST /api/v1/environments/{env}/namespaces/{path}/tables/{name}/column-masks': [
    { principal: 'ann', column: 'name', expression: 'NULL' },
    { group: 'team', column: 'name', expression: "'x'" },
  ],
  'POST /api/v1/environments/{env}/runs': [{ repository: 'shop', select: ['*'] }],
  'POST /api/v1/environments/{env}/jobs/{job}/runs': [{}],
  'POST /api/v1/environments/{env}/deploys': [{ repository: 'shop', ref: 'main', dry_run: true }],
  'POST /api/v1/environments/{env}/secrets/{name}/bind': [{ environment: true }, { repository: 'shop' }],
  'PUT /api/v1/environments/{env}/deployments/{repository}/run-as': [{ principal: 'robot' }],
  'POST /api/v1/environments/{env}/queries': [
    { sql: 'SELECT * FROM raw.orders', into: 'raw.fuzz_into', mode: 'create' },
  ],
};
