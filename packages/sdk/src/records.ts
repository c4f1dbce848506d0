// The records of the REST interface: those that generated methods return, and others that the contract declares.
export type { RevocationPreview } from '@svc/core/access';
export type { MaintenanceRule } from '@svc/core/environments';
export type { Failure } from '@svc/core/errors';
export type { LiveEvent } from '@svc/core/events';
export type { MaintenanceResult } from '@svc/core/maintenance';
export type { AffectedRows, IntoMode, QueryStatus, ResultPage, SubmittedQuery } from '@svc/core/queries';
export type { LogLine, RunTask, RunTrigger, TaskStatus } from '@svc/core/runs';
export type { Column, DataFormat, NewTable, TableKind } from '@svc/core/tables';
export type { Worker } from '@svc/core/workers';
export type { CsvDialect, LoadMode, WorkStatus } from '@svc/core/writes';
export type * from './generated/records.ts';
