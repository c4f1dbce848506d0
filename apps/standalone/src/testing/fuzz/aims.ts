const ENV = '/api/v1/environments/{env}';
const TABLE = `${ENV}/namespaces/{path}/tables/{name}`;

/** Environments to destroy, protect or limit, so that the environment of most requests usually remains. */
const UNUSED = ['spare', 'spare', 'spare', 'gone', 'fuzz', 'dev'];
const RAW = ['raw', 'raw', 'raw.fuzz'];

/**
 * Targets of single routes, by the name of their parameter: objects on which they succeed, and for those that
 * destroy, usually objects that nothing else uses.
 */
export const AIMS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  [`DELETE ${ENV}`]: { env: UNUSED },
  [`PATCH ${ENV}`]: { env: UNUSED },
  [`POST ${ENV}/restore`]: { env: ['gone', 'gone', 'spare', 'fuzz', 'dev'] },
  [`PUT ${ENV}/quotas`]: { env: UNUSED },
  [`PUT ${ENV}/retention`]: { env: UNUSED },
  [`DELETE ${ENV}/namespaces/{path}`]: { path: ['left', 'left', 'raw.fuzz', 'raw'] },
  [`DELETE ${TABLE}`]: { path: RAW, table: ['fuzz', 'fuzz', 'dropped', 'numbers', 'orders'] },
  [`GET ${TABLE}/content`]: { path: ['raw'], table: ['report', 'report', 'report', 'orders'] },
  [`POST ${TABLE}/undrop`]: { path: ['raw'], table: ['dropped', 'dropped', 'dropped', 'orders'] },
  [`POST ${TABLE}/rollback`]: { path: ['raw'], table: ['orders'] },
  [`DELETE ${TABLE}/hold`]: { path: ['raw'], table: ['held', 'held', 'orders'] },
  [`PUT ${TABLE}/retention`]: { path: ['raw'], table: ['orders', 'orders', 'held', 'sum'] },
  [`DELETE ${ENV}/deployments/{repository}`]: { repository: ['fuzz', 'fuzz', 'fuzz', 'shop'] },
  'DELETE /api/v1/repositories/{name}': { repository: ['fuzz', 'fuzz', 'fuzz', 'shop'] },
  'DELETE /api/v1/groups/{name}/members/{principal}': { group: ['team'], principal: ['ann'] },
  'DELETE /api/v1/principals/{name}/identities/{provider}': { principal: ['ann'], provider: ['corp'] },
  'DELETE /api/v1/identity-providers/{name}': { provider: ['fuzz', 'fuzz', 'fuzz', 'corp'] },
  'DELETE /api/v1/principals/{name}': { principal: ['fuzz', 'fuzz', 'fuzz', 'ann', 'robot', 'reader'] },
  'PATCH /api/v1/principals/{name}': { principal: ['fuzz', 'fuzz', 'ann', 'robot', 'reader'] },
  'GET /catalog/v1/{prefix}/namespaces/{namespace}/views/{view}': { namespace: ['raw'], view: ['v'] },
  'HEAD /catalog/v1/{prefix}/namespaces/{namespace}/views/{view}': { namespace: ['raw'], view: ['v'] },
  'POST /catalog/v1/{prefix}/namespaces/{namespace}/views/{view}': { namespace: ['raw'], view: ['v'] },
};

/** Requests about a record that was created a moment ago and is still active. */
export const NEXT: Readonly<Record<string, readonly { method: string; path: string }[]>> = {
  [`POST ${ENV}/queries`]: [{ method: 'POST', path: `${ENV}/queries/{id}/cancel` }],
  [`POST ${ENV}/runs`]: [
    { method: 'POST', path: `${ENV}/runs/{id}/cancel` },
    { method: 'POST', path: `${ENV}/runs/{id}/retry` },
  ],
  [`POST ${ENV}/jobs/{job}/runs`]: [{ method: 'POST', path: `${ENV}/runs/{id}/cancel` }],
};
