// The records of the REST interface, as the contract declares them.
export type { Grant, Group, Permissions, Principal, RevocationPreview, TokenRecord } from '@svc/core/access';
export type { AuditEvent } from '@svc/core/audit';
export type { Deploy, Deployment, ProjectVersion } from '@svc/core/deploys';
export type { Environment, MaintenanceRule } from '@svc/core/environments';
export type { Failure } from '@svc/core/errors';
export type { Maintenance, MaintenanceResult } from '@svc/core/maintenance';
export type { Namespace } from '@svc/core/namespaces';
export type { PackageIndex } from '@svc/core/package-indexes';
export type { IntoMode, Query, QueryStatus, ResultPage, SubmittedQuery } from '@svc/core/queries';
export type { EnvironmentQuotas } from '@svc/core/quotas';
export type { Repository } from '@svc/core/repositories';
export type { LogLine, Run, RunTask, RunTrigger, TaskStatus } from '@svc/core/runs';
export type { Secret } from '@svc/core/secrets';
export type { Column, DataFormat, NewTable, Snapshot, Table, TableKind } from '@svc/core/tables';
export type { Worker } from '@svc/core/workers';
export type { LoadMode, WorkStatus, Write } from '@svc/core/writes';
