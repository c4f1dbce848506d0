import type { Asset, ResolvedJob } from '@svc/core/deploys';
import type { StoredDeploy } from '@svc/db/deploys';
import type { viewColumns } from '../runs/outputs/build-view.ts';
import type { HeldClaim } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import type { ReadProject } from './read-project.ts';

/** A view that was dropped and that its project's deploy creates again. */
export interface ReturningView {
  readonly asset: Asset;
  readonly sql: string;
  readonly columns: ReturnType<typeof viewColumns>;
}

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
  /** Of names that don't exist, and of views that stay dropped. */
  warnings: readonly string[];
}
