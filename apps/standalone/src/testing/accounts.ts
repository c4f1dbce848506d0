import type { SvcClient } from '@svc/sdk';
import type { TestService } from './test-service.ts';

/** The client of a new service account with these actions on tables, namespaces or all of `dev`. */
export async function userWith(
  s: TestService,
  name: string,
  grants: { namespace?: string; table?: string; action: string }[],
): Promise<SvcClient> {
  await s.client.principals.create({ name, type: 'service-account' });
  for (const grant of grants) {
    const kind = grant.table === undefined ? (grant.namespace === undefined ? 'ENVIRONMENT' : 'NAMESPACE') : 'TABLE';
    await s.client.grants.create({ principal: name, kind, environment: 'dev', ...grant } as never);
  }
  return s.clientOf((await s.client.tokens.issue(name, 'test')).token);
}
