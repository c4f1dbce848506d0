import { type Query, WorkFailed, type Write } from '@svc/sdk/browser';

/** The error of a query or a load that has finished without success. */
export function failedWork(record: Query | Write): WorkFailed {
  const { error, status } = record;
  if (error === null) return new WorkFailed(`It was ${status.toLowerCase()}.`, record, { code: status.toLowerCase() });
  return new WorkFailed(error.detail, record, { code: error.code, remedy: error.remedy ?? undefined });
}
