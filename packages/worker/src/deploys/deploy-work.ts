import type { Asset, ResolvedJob } from '@svc/core/deploys';
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

/** The result of reading and checking a project. */
export interface CheckedProject {
  dir: string;
  commit: string | null;
  project: ReadProject;
  jobs: ResolvedJob[];
  packageIndexes: readonly string[];
  namespaces: readonly string[];
  lockHash: string | null;
  droppedViews: readonly ReturningView[];
  /** Warnings about names that don't exist and views that stay dropped. */
  warnings: readonly string[];
}
