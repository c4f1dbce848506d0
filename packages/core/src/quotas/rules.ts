import { ApiError } from '../errors/index.ts';

/** Maximum storage quota: JSON numbers are exact up to here. */
export const MAX_BYTES = Number.MAX_SAFE_INTEGER;
export const MAX_QUERIES = 100_000;

/** An environment's own limits; null where the operator's default applies. */
export interface OwnQuotas {
  quota_storage_bytes: bigint | number | null;
  quota_concurrent_queries: number | null;
}

/** The operator's default limits; null: no limit. */
export interface DefaultQuotas {
  quotaStorage: number | null;
  quotaConcurrentQueries: number | null;
}

/** Maximum bytes of an environment's tables and artifacts; null without a limit. */
export function storageLimit(own: OwnQuotas, byDefault: DefaultQuotas): number | null {
  return own.quota_storage_bytes === null ? byDefault.quotaStorage : Number(own.quota_storage_bytes);
}

/** Maximum queries of an environment that may be active at once; null without a limit. */
export function queryLimit(own: OwnQuotas, byDefault: DefaultQuotas): number | null {
  return own.quota_concurrent_queries ?? byDefault.quotaConcurrentQueries;
}

/** The error for adding files to an environment that has reached its storage quota; `used` and `limit` in bytes. */
export function storageExceeded(environment: string, { used, limit }: { used: number; limit: number }): ApiError {
  return new ApiError(
    'quota-exceeded',
    `The environment ${environment} uses ${bytesText(used)} of its storage quota of ${bytesText(limit)}, including dropped tables. Nothing was written. Drop tables with --purge, purge dropped tables, expire snapshots, or ask an administrator for a higher quota: svc env quotas ${environment} --storage SIZE`,
    { remedy: `svc env quotas ${environment}` },
  );
}

const UNITS = ['KB', 'MB', 'GB', 'TB', 'PB'];

/** `1.5 GB`, in powers of 1000. */
function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  let [value, unit] = [bytes / 1000, 0];
  while (value >= 1000 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${Number(value.toPrecision(4))} ${UNITS[unit]}`;
}
