import type { ResolvedJob } from '@svc/core/deploys';
import type { StoredDeploy } from '@svc/db/deploys';
import type { HeldClaim } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import type { ReturningView } from './dropped-views.ts';
import type { ReadProject } from './read-project.ts';

/** A claimed deploy and the folder it works in. */
export interface DeployWork {
  deps: WorkerDeps;
  claim: HeldClaim;
  row: StoredDeploy;
}

/** What a deploy found out about its project. */
export interface CheckedProject {
  dir: string;
  commit: string | null;
  project: ReadProject;
  jobs: ResolvedJob[];
  packageIndexes: readonly string[];
  namespaces: readonly string[];
  lockHash: string | null;
  droppedViews: readonly ReturningView[];
}
