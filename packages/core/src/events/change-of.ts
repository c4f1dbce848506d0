import type { EventType } from '../audit/index.ts';
import type { LiveEvent } from './contract.ts';

/** The parts of an audit event that determine what its change is. Names and ids are null where they don't apply. */
export interface RecordedChange {
  readonly type: EventType;
  /** Of the principal that caused it. */
  readonly principal_id: string | null;
  /** Of its run, query or deploy. */
  readonly id: string | null;
  readonly job: string | null;
  readonly repository: string | null;
  /** The recorded name. */
  readonly namespace: string | null;
  /** Who requested its run. */
  readonly requested_by: string | null;
  /** The name that its table has now; null also if the record of the table no longer exists. */
  readonly table: { readonly namespace: string; readonly name: string; readonly dropped: boolean } | null;
}

/** A change, and the callers that learn of it. */
export interface Change {
  readonly event: LiveEvent;
  readonly readers:
    | { readonly of: 'environment' }
    /** Callers who can read the environment, and the one who requested the run. */
    | { readonly of: 'run'; readonly requestedBy: string | null }
    | { readonly of: 'principal'; readonly id: string | null }
    | { readonly of: 'namespace'; readonly namespace: string }
    /** Drops are listed by their namespace (DROP-14). */
    | { readonly of: 'table'; readonly namespace: string; readonly table: string; readonly dropped: boolean }
    /** Administrators of grants, and callers whose own rights have changed. */
    | { readonly of: 'access' };
}

/** A message without ids and names. */
export const NOTHING = { id: null, name: null, repository: null };

const tableChange = ({ table }: RecordedChange): Change | null => {
  if (table === null) return null;
  const { namespace, name, dropped } = table;
  const event: LiveEvent = { ...NOTHING, kind: 'table', name: `${namespace}.${name}` };
  return { event, readers: { of: 'table', namespace, table: name, dropped } };
};

const namespaceChange = ({ namespace }: RecordedChange): Change | null =>
  namespace === null
    ? null
    : { event: { ...NOTHING, kind: 'namespace', name: namespace }, readers: { of: 'namespace', namespace } };

const runChange = ({ id, requested_by: requestedBy }: RecordedChange): Change => ({
  event: { ...NOTHING, kind: 'run', id },
  readers: { of: 'run', requestedBy },
});

const jobChange = ({ job, repository }: RecordedChange): Change => ({
  event: { ...NOTHING, kind: 'job', name: job, repository },
  readers: { of: 'environment' },
});

const deployChange = ({ id, repository }: RecordedChange): Change => ({
  event: { ...NOTHING, kind: 'deploy', id, name: repository },
  readers: { of: 'environment' },
});

const queryChange = ({ id, principal_id }: RecordedChange): Change => ({
  event: { ...NOTHING, kind: 'query', id },
  readers: { of: 'principal', id: principal_id },
});

const environmentChange = (): Change => ({
  event: { ...NOTHING, kind: 'environment' },
  readers: { of: 'environment' },
});

const accessChange = (): Change => ({ event: { ...NOTHING, kind: 'access' }, readers: { of: 'access' } });

/** Types that aren't listed change nothing that a page of an environment shows. */
const CHANGES: Partial<Record<EventType, (change: RecordedChange) => Change | null>> = {
  RUN_STARTED: runChange,
  RUN_ENDED: runChange,
  JOB_PAUSED: jobChange,
  JOB_RESUMED: jobChange,
  JOB_START_DROPPED: jobChange,
  DEPLOY_FAILED: deployChange,
  DEPLOY_SUCCEEDED: deployChange,
  ROLLED_BACK: deployChange,
  RUN_AS_SET: deployChange,
  UNDEPLOYED: deployChange,
  QUERY_COMPLETED: queryChange,
  NAMESPACE_CREATED: namespaceChange,
  NAMESPACE_DELETED: namespaceChange,
  NAMESPACE_UPDATED: namespaceChange,
  ENVIRONMENT_UPDATED: environmentChange,
  ENVIRONMENT_QUOTAS_SET: environmentChange,
  ENVIRONMENT_RETENTION_SET: environmentChange,
  ENVIRONMENT_RESTORED: environmentChange,
  COLUMN_MASK_CREATED: tableChange,
  COLUMN_MASK_DELETED: tableChange,
  ROW_FILTER_CREATED: tableChange,
  ROW_FILTER_DELETED: tableChange,
  TABLE_CREATED: tableChange,
  TABLE_DROPPED: tableChange,
  TABLE_HELD: tableChange,
  TABLE_MAINTAINED: tableChange,
  TABLE_PURGED: tableChange,
  TABLE_RELEASED: tableChange,
  TABLE_RETENTION_CLEARED: tableChange,
  TABLE_RETENTION_SET: tableChange,
  TABLE_ROLLED_BACK: tableChange,
  TABLE_UNDROPPED: tableChange,
  TABLE_UPDATED: tableChange,
  TABLE_WRITE: tableChange,
  VIEW_CREATED: tableChange,
  VIEW_UPDATED: tableChange,
  ACCESS_REQUESTED: accessChange,
  ACCESS_REQUEST_APPROVED: accessChange,
  ACCESS_REQUEST_REJECTED: accessChange,
  ACCESS_REQUEST_WITHDRAWN: accessChange,
  GRANT_CREATED: accessChange,
  GRANT_EXPIRED: accessChange,
  GRANT_REVOKED: accessChange,
  GROUP_CREATED: accessChange,
  GROUP_DELETED: accessChange,
  GROUP_MEMBER_ADDED: accessChange,
  GROUP_MEMBER_REMOVED: accessChange,
  PRINCIPAL_CREATED: accessChange,
  PRINCIPAL_UPDATED: accessChange,
  PRINCIPAL_DELETED: accessChange,
};

/** What an audit event means for the pages of its environment; null if nothing. */
export function changeOf(recorded: RecordedChange): Change | null {
  return CHANGES[recorded.type]?.(recorded) ?? null;
}
