import { shellCommand, shellOption } from '@svc/core/command-lines';
import { storageKeys, storageSecretError, storageSecretKeys } from '@svc/core/environments';
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
  if (!(await isStorageSecret(ctx, name))) return;
  const location = ctx.environment.storage_location ?? '';
  const invalid = storageKeys(location, values) === null ? "its values aren't valid" : null;
  const fault = storageSecretError(location, examineValues(values)) ?? invalid;
  if (fault === null) return;
  throw new ApiError(
    'invalid-request',
    `The secret ${name} opens the storage of environment ${ctx.environment.name}, and ${fault}. It requires ${storageSecretKeys(location)}. Nothing was changed.`,
  );
}
