import { type EffectiveGrant, narrowGrants, scopeOf } from '@svc/core/access';
import type { Asset, CodeFile, ResolvedJob } from '@svc/core/deploys';
import { listEffectiveGrants } from '@svc/db/access';
import type { Transaction } from '@svc/db/connection';
import type { StoredDeploy } from '@svc/db/deploys';
import type { viewColumns } from '../tables/view-row.ts';
import type { ActiveClaim } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import type { ReadProject } from './read-project.ts';

/** A dropped view that a deploy of its project creates again. */
export interface ReturningView {
  readonly asset: Asset;
  readonly sql: string;
  readonly columns: ReturnType<typeof viewColumns>;
}

/** A claimed deploy and its working folder. */
export interface DeployWork {
  deps: WorkerDeps;
  claim: ActiveClaim;
  row: StoredDeploy;
}

/** Who and what the events of a deploy name. */
export const eventOf = ({ row }: DeployWork) => ({
  origin: {
    principal: { id: row.created_by, name: row.creator ?? '' },
    environmentId: row.environment_id,
    requestId: row.request_id,
  },
  object: scopeOf({ environment: row.environment }),
});

/** The active grants of the deploying principal in the environment, as far as the scope of its token includes them (TOKEN-4). */
export async function grantsOf(
  { deps, row }: DeployWork,
  client: Transaction = deps.db.prisma,
): Promise<EffectiveGrant[]> {
  const { created_by: principalId, environment_id: environmentId, token_actions: actions } = row;
  const grants = await listEffectiveGrants(client, { principalId, environmentId, now: deps.clock() });
  return narrowGrants(grants, actions === null ? null : { environments: null, actions });
}

/** The result of reading and checking a project. */
export interface CheckedProject {
  dir: string;
  commit: string | null;
  project: ReadProject;
  jobs: ResolvedJob[];
  packageIndexes: readonly string[];
  /** Namespaces to create, outermost first. */
  namespaces: readonly string[];
  /** The assets as the version builds them: those of the project, or in a development namespace. */
  assets: readonly Asset[];
  lockHash: string | null;
  /** Its Python files; none if no asset uses Python. */
  code: readonly CodeFile[];
  droppedViews: readonly ReturningView[];
  /** Warnings about names that don't exist and views that stay dropped. */
  warnings: readonly string[];
}
