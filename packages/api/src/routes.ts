import { accessRoutes } from './access/index.ts';
import { accessRequestRoutes } from './access-requests/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { deployRoutes } from './deploys/routes.ts';
import { dropRoutes } from './drops/routes.ts';
import { environmentRoutes } from './environments/routes.ts';
import { eventRoutes } from './events/routes.ts';
import type { Route } from './http/route.ts';
import { identityProviderRoutes } from './identity-providers/index.ts';
import { jobRoutes } from './jobs/routes.ts';
import { lineageRoutes } from './lineage/routes.ts';
import { maintenanceRoutes } from './maintenance/routes.ts';
import { namespaceRoutes } from './namespaces/routes.ts';
import { packageIndexRoutes } from './package-indexes/routes.ts';
import { policyRoutes } from './policies/routes.ts';
import { queryRoutes } from './queries/routes.ts';
import { queryTabRoutes } from './query-tabs/routes.ts';
import { quotaRoutes } from './quotas/routes.ts';
import { repositoryRoutes } from './repositories/routes.ts';
import { retentionRoutes } from './retention/routes.ts';
import { runRoutes } from './runs/routes.ts';
import { savedQueryRoutes } from './saved-queries/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { secondFactorRoutes } from './second-factors/index.ts';
import { secretRoutes } from './secrets/routes.ts';
import { sqlEndpointRoutes } from './sql-endpoint/routes.ts';
import { summaryRoutes } from './summary/routes.ts';
import { tableRoutes } from './tables/routes.ts';
import { uploadRoutes } from './uploads/routes.ts';
import { workerRoutes } from './workers/routes.ts';
import { workloadIdentityRoutes } from './workload-identities/routes.ts';
import { writeRoutes } from './writes/routes.ts';

/** The handlers of the whole route table. */
export const ALL_ROUTES: readonly Route[] = [
  ...accessRoutes,
  ...accessRequestRoutes,
  ...identityProviderRoutes,
  ...secondFactorRoutes,
  ...workloadIdentityRoutes,
  ...auditRoutes,
  ...environmentRoutes,
  ...quotaRoutes,
  ...summaryRoutes,
  ...namespaceRoutes,
  ...tableRoutes,
  ...dropRoutes,
  ...searchRoutes,
  ...lineageRoutes,
  ...retentionRoutes,
  ...writeRoutes,
  ...uploadRoutes,
  ...maintenanceRoutes,
  ...policyRoutes,
  ...queryRoutes,
  ...savedQueryRoutes,
  ...queryTabRoutes,
  ...sqlEndpointRoutes,
  ...repositoryRoutes,
  ...packageIndexRoutes,
  ...secretRoutes,
  ...deployRoutes,
  ...jobRoutes,
  ...runRoutes,
  ...workerRoutes,
  ...eventRoutes,
];
