import { shellCommand, shellOption } from '@svc/core/command-lines';
import { STORAGE_SECRET_KEYS, storageSecretError } from '@svc/core/environments';
import { ApiError } from '@svc/core/errors';
import { examineValues } from '@svc/core/secrets';
import { lockStorageSecretForShare } from '@svc/db/environments';
import type { Context } from '../http/context.ts';

const isStorageSecret = async (ctx: Context, name: string) =>
  (await lockStorageSecretForShare(ctx.db, ctx.environment.id)) === name;

/**
 * Requires that the secret doesn't serve the environment's storage, before it is deleted or bound to another use.
 * @throws ApiError `in-use`
 */
export async function requireNoStorage(ctx: Context, name: string): Promise<void> {
  if (!(await isStorageSecret(ctx, name))) return;
  const remedy = shellCommand('svc env update', ctx.environment.name, [shellOption('storage-secret', 'OTHER')]);
  throw new ApiError(
    'in-use',
    `The secret ${name} opens the storage of environment ${ctx.environment.name}, whose tables could not be read without it. Set another secret first: ${remedy}`,
    { remedy },
  );
}

/** Requires that the new values of the storage's secret are valid storage keys. @throws ApiError `invalid-request` */
export async function requireStorageKeys(ctx: Context, name: string, values: Record<string, string>): Promise<void> {
  const fault = storageSecretError(examineValues(values));
  if (fault === null || !(await isStorageSecret(ctx, name))) return;
  throw new ApiError(
    'invalid-request',
    `The secret ${name} opens the storage of environment ${ctx.environment.name}, and ${fault}. It requires ${STORAGE_SECRET_KEYS}. Nothing was changed.`,
  );
}
