import type { Action } from '@svc/core/access';
import type { Deploy } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import type { WorkStatus } from '@svc/core/writes';
import { Prisma } from '../generated/client.ts';
import { isDirty } from './is-dirty.ts';

/** A deploy as this folder's queries select it. */
export interface StoredDeploy {
  id: string;
  environment_id: string;
  environment: string;
  environment_protected: boolean;
  repository_id: string;
  repository: string;
  repository_url: string | null;
  repository_secret: string | null;
  default_ref: string | null;
  folder: string | null;
  ref: string | null;
  bundle_id: string | null;
  commit: string | null;
  dirty: boolean | null;
  dry_run: boolean;
  dev_namespace: string | null;
  status: WorkStatus;
  warnings: string[];
  jobs: Deploy['jobs'];
  assets: Deploy['assets'];
  previous_version_id: string | null;
  package_indexes: string[];
  project_version_id: string | null;
  error: Failure | null;
  created_by: string;
  /** The actions of the scope of its token; null: all of `created_by`. */
  token_actions: Action[] | null;
  creator: string | null;
  created_at: Date;
  ended_at: Date | null;
  request_id: string | null;
}

/** `assets` is the expression of the changes of assets. */
export const selectDeploy = (assets: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT d.id, d.environment_id, e.name AS environment, e.protected AS environment_protected, d.repository_id,
         r.name AS repository, r.url AS repository_url, r.credential_secret AS repository_secret, r.default_ref, r.folder, d.ref, d.bundle_id, d.commit, d.dirty, d.dry_run, d.dev_namespace,
         d.status, d.warnings, d.jobs, ${assets} AS assets, d.previous_version_id, d.package_indexes, d.project_version_id, d.error, d.created_by, d.token_actions,
         p.name AS creator, d.created_at, d.ended_at, d.request_id
  FROM deploys d JOIN environments e ON e.id = d.environment_id JOIN repositories r ON r.id = d.repository_id
  LEFT JOIN principals p ON p.id = d.created_by`;

export function deployRecord(row: StoredDeploy): Deploy {
  return {
    id: row.id,
    environment: row.environment,
    repository: row.repository,
    ref: row.ref,
    commit: row.commit,
    dirty: isDirty(row),
    status: row.status,
    dry_run: row.dry_run,
    warnings: row.warnings,
    jobs: row.jobs,
    assets: row.assets,
    previous_version_id: row.previous_version_id,
    package_indexes: row.package_indexes,
    project_version_id: row.project_version_id,
    error: row.error,
    created_by: row.creator,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}
