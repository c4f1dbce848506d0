// The service account with which Trino reaches the catalog.
import { rest } from './checks.mjs';

/** Creates it with a role in the environment `dev`; returns its token. */
export async function trinoAccount(url, role = 'ANALYST') {
  await rest(url, 'POST', '/principals', { name: 'trino', type: 'service-account' });
  const { token } = await rest(url, 'POST', '/principals/trino/tokens', { name: 'catalog' });
  await rest(url, 'POST', '/grants', { kind: 'ENVIRONMENT', principal: 'trino', role, environment: 'dev' });
  return token;
}
