import { accessEndpoints } from '../access/index.ts';
import { accessRequestEndpoints } from '../access-requests/index.ts';
import { auditEndpoints } from '../audit/index.ts';
import type { AnyEndpoint } from '../contract/index.ts';
import { deployEndpoints } from '../deploys/contract.ts';
import { dropEndpoints } from '../drops/contract.ts';
import { environmentEndpoints } from '../environments/index.ts';
import { liveEventEndpoints } from '../events/index.ts';
import { identityProviderEndpoints } from '../identity-providers/index.ts';
import { jobEndpoints } from '../jobs/contract.ts';
import { lineageEndpoints } from '../lineage/index.ts';
import { maintenanceEndpoints } from '../maintenance/index.ts';
import { namespaceEndpoints } from '../namespaces/index.ts';
import { packageIndexEndpoints } from '../package-indexes/contract.ts';
import { policyEndpoints } from '../policies/index.ts';
import { queryEndpoints } from '../queries/index.ts';
import { queryTabEndpoints } from '../query-tabs/index.ts';
import { quotaEndpoints } from '../quotas/index.ts';
import { repositoryEndpoints } from '../repositories/index.ts';
import { retentionEndpoints } from '../retention/contract.ts';
import { runEndpoints } from '../runs/index.ts';
import { savedQueryEndpoints } from '../saved-queries/index.ts';
import { searchEndpoints } from '../search/index.ts';
import { secondFactorEndpoints } from '../second-factors/index.ts';
import { secretEndpoints } from '../secrets/contract.ts';
import { sqlEndpointEndpoints } from '../sql-endpoint/index.ts';
import { summaryEndpoints } from '../summary/index.ts';
import { tableEndpoints } from '../tables/contract.ts';
import { uploadEndpoints } from '../uploads/index.ts';
import { workerEndpoints } from '../workers/index.ts';
import { workloadIdentityEndpoints } from '../workload-identities/index.ts';
import { writeEndpoints } from '../writes/index.ts';

/** The route table: the API serves no other REST routes. */
export const endpoints = {
  access: accessEndpoints,
  accessRequests: accessRequestEndpoints,
  identityProviders: identityProviderEndpoints,
  secondFactors: secondFactorEndpoints,
  workloadIdentities: workloadIdentityEndpoints,
  audit: auditEndpoints,
  environments: environmentEndpoints,
  quotas: quotaEndpoints,
  summary: summaryEndpoints,
  namespaces: namespaceEndpoints,
  tables: { ...tableEndpoints, ...dropEndpoints },
  search: searchEndpoints,
  lineage: lineageEndpoints,
  retention: retentionEndpoints,
  writes: writeEndpoints,
  uploads: uploadEndpoints,
  maintenance: maintenanceEndpoints,
  policies: policyEndpoints,
  queries: queryEndpoints,
  savedQueries: savedQueryEndpoints,
  queryTabs: queryTabEndpoints,
  sqlEndpoint: sqlEndpointEndpoints,
  repositories: repositoryEndpoints,
  packageIndexes: packageIndexEndpoints,
  secrets: secretEndpoints,
  deploys: deployEndpoints,
  jobs: jobEndpoints,
  runs: runEndpoints,
  workers: workerEndpoints,
  events: liveEventEndpoints,
} as const;

export const ALL_ENDPOINTS: readonly AnyEndpoint[] = Object.values(endpoints).flatMap((group) =>
  Object.values(group as Record<string, unknown>),
) as AnyEndpoint[];
