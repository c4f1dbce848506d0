import { Prisma } from '../generated/client.ts';
import type { StoredEnvironment } from './environments.ts';

const COLUMNS: Record<keyof StoredEnvironment, true> = {
  id: true,
  name: true,
  protected: true,
  description: true,
  retention_days: true,
  maintain_compact: true,
  maintain_expire_days: true,
  storage_location: true,
  storage_secret: true,
  quota_storage_bytes: true,
  quota_concurrent_queries: true,
  created_at: true,
  deleted_at: true,
  purge_after: true,
};

/** The columns of a `StoredEnvironment`, for a SELECT. */
export const ENVIRONMENT_COLUMNS = Prisma.raw(Object.keys(COLUMNS).join(', '));
