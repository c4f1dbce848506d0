import { PASSWORD } from './seeds.ts';

/** Bodies that schemas alone would rarely produce: the route's rules determine which fields may be combined. */
export const RECIPES: Readonly<Record<string, readonly unknown[]>> = {
  'POST /api/v1/sign-in': [{ name: 'ann', password: PASSWORD }],
  'PUT /api/v1/me/password': [{ current_password: PASSWORD, password: PASSWORD }],
  'PATCH /api/v1/environments/{env}': [{ description: 'x' }, { protected: false }],
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
  'PATCH /api/v1/environments/{env}/namespaces/{path}/tables/{name}': [
    { description: 'x', owner: 'ann' },
    { column_descriptions: { id: 'the key' } },
  ],
  'POST /api/v1/environments/{env}/namespaces/{path}/tables/{name}/rollback': [{ snapshot_id: '<snapshot_id>' }],
  'POST /api/v1/environments/{env}/namespaces/{path}/tables/{name}/undrop': [{}, { new_name: 'fuzz' }],
  'POST /api/v1/environments/{env}/namespaces/{path}/tables/{name}/maintenance': [
    { compact: true },
    { expire_snapshots_older_than_days: 1 },
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
  'POST /api/v1/environments/{env}/deploys': [
    { repository: 'shop', bundle_id: '<bundle_id>' },
    { repository: 'shop', bundle_id: '<bundle_id>', dry_run: true },
    { repository: 'shop', ref: 'main', dry_run: true },
  ],
  'POST /api/v1/environments/{env}/secrets/{name}/bind': [{ environment: true }, { repository: 'shop' }],
  'POST /api/v1/environments/{env}/deployments/{repository}/rollback': [
    {},
    { project_version_id: '<project_version_id>' },
  ],
  'PUT /api/v1/environments/{env}/deployments/{repository}/run-as': [{ principal: 'robot' }],
  'PATCH /api/v1/package-indexes/{name}': [
    { url: 'https://pkgs.invalid/other' },
    { url: 'https://pkgs.invalid/simple' },
  ],
  'POST /api/v1/identity-providers': [
    { name: 'fuzz', issuer: 'http://127.0.0.1:9', client_id: 'svc' },
    { name: 'corp', issuer: 'http://localhost:9', client_id: 'svc', create_people: true, client_secret: 'x' },
  ],
  'PATCH /api/v1/identity-providers/{name}': [
    { active: true, groups_claim: 'groups', groups: [{ value: 'a', group: 'team' }] },
    { client_secret: null, groups: [] },
  ],
  'PUT /api/v1/principals/{name}/email': [{ email: 'ann@example.com' }, { email: null }],
  'PUT /api/v1/principals/{name}/identities/{provider}': [{ subject: 's1' }, { subject: 's2' }],
  'POST /api/v1/environments/{env}/queries': [
    { sql: 'SELECT count(*) AS n FROM range(100000000) t(i)' },
    { sql: 'SELECT * FROM raw.orders', into: 'raw.fuzz_into', mode: 'create' },
  ],
};
