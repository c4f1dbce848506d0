import { resolve } from 'node:path';
import { INSTANCE, scopeOf } from '@svc/core/access';
import { shellCommand, shellOption } from '@svc/core/command-lines';
import { trimEnd } from '@svc/core/contract';
import { storageKeys, storageSecretError, storageSecretKeys } from '@svc/core/environments';
import { ApiError } from '@svc/core/errors';
import { createCommand, rotateCommand } from '@svc/core/secrets';
import { lockLocations } from '@svc/db/catalog';
import {
  findStoredObject,
  lockStorageForUpdate,
  type StorageNames,
  type StoredObject,
  storageMoved,
  storagesOfOthers,
} from '@svc/db/environments';
import { bindSecret, findSealed, findSecret, type StoredSecret, unseal } from '@svc/db/secrets';
import { isWithin } from '@svc/iceberg';
import { storageOptions, validateStorage } from '@svc/lake/storage';
import type { Context } from '../http/context.ts';
import { auditBinding, useText } from '../secrets/naming.ts';

/** The requested storage of an environment's tables; omitted fields keep their value. */
export interface StorageInput {
  storage_location?: string | null | undefined;
  storage_secret?: string | null | undefined;
}

type Of = StorageNames & { id: string; name: string };

const update = (name: string, ...options: string[]) => shellCommand('svc env update', name, options);

/** A secret belongs to an environment, so it can't exist before the environment is created. */
export function secretWithoutStorage({
  name,
  storage_secret,
}: {
  name: string;
  storage_secret: string | null;
}): ApiError {
  const secret = storage_secret ?? 'SECRET';
  const remedy = update(
    name,
    shellOption('storage-location', 's3://BUCKET/PREFIX'),
    shellOption('storage-secret', secret),
  );
  return new ApiError(
    'invalid-request',
    `storage_secret: a secret belongs to an environment, so it can only be created after it. Create the environment without it, then create the secret (${createCommand(secret, name, null)}), then set both: ${remedy}`,
    { remedy },
  );
}

/**
 * Decides on an environment's new storage and tests it by writing, reading and removing an object. Returns the fields
 * to store, or none if nothing changes. The environment is locked until the transaction ends.
 * @throws AccessDeniedError, ApiError
 */
export async function changeStorage(ctx: Context, of: Of, input: StorageInput): Promise<Partial<StorageNames>> {
  if (input.storage_location === undefined && input.storage_secret === undefined) return {};
  ctx.require('MANAGE_ENVIRONMENT', INSTANCE);
  const next = nextOf(of, input);
  const moved = next.storage_location !== of.storage_location;
  if (!moved && next.storage_secret === of.storage_secret) return {};
  if (moved) await requireFree(ctx, of, next.storage_location);
  const secret = await requireSecret(ctx, of, next);
  if (next.storage_location !== null) await tryIt(ctx, of, next.storage_location, secret);
  // The environment may have changed while the storage was tested.
  await lockLocations(ctx.db);
  const current = await lockStorageForUpdate(ctx.db, of.id);
  if (current?.storage_location !== of.storage_location || current.storage_secret !== of.storage_secret)
    throw storageMoved();
  if (moved) await requireFree(ctx, of, next.storage_location);
  if (secret !== null) await bind(ctx, of, secret);
  return next;
}

function nextOf(of: Of, input: StorageInput): StorageNames {
  const storage_location = input.storage_location === undefined ? of.storage_location : input.storage_location;
  const inherited = storage_location === null ? null : of.storage_secret;
  const storage_secret = input.storage_secret === undefined ? inherited : input.storage_secret;
  if (storage_location === null && storage_secret !== null)
    throw new ApiError('invalid-request', 'storage_secret: requires storage_location. Set both, or clear both.');
  return { storage_location: storage_location == null ? null : trimEnd(storage_location, '/'), storage_secret };
}

/** Requires that the environment has no files in its current storage and that the new location overlaps no other. */
async function requireFree(ctx: Context, { id, name, storage_location }: Of, location: string | null): Promise<void> {
  const { root } = ctx.deps.store;
  const stored = await findStoredObject(ctx.db, { environmentId: id, root: storage_location ?? root });
  if (stored !== null) throw notEmpty(name, stored);
  if (location === null) return;
  const others = [{ name: null, location: root }, ...(await storagesOfOthers(ctx.db, id))];
  const overlapping = others.find((other) => isWithin(other.location, location) || isWithin(location, other.location));
  if (overlapping === undefined) return;
  // Callers who manage the instance's environments may know the names of all of them.
  const ownerText =
    overlapping.name === null ? "the instance's storage" : `the storage of environment ${overlapping.name}`;
  throw new ApiError(
    'in-use',
    `The location ${location} overlaps ${overlapping.location}, ${ownerText}. Choose another prefix or bucket.`,
  );
}

function notEmpty(environment: string, { kind, name, dropped }: StoredObject): ApiError {
  const moved = `The storage of environment ${environment} is changed only while nothing of it lies there`;
  if (kind === 'creation')
    return new ApiError('in-use', `${moved}, and a table is being created at ${name}. Try again when it is created.`);
  const remedy = shellCommand('svc table delete', name, [shellOption('env', environment), '--purge']);
  const there = dropped
    ? `the files of ${name}, which was dropped, are not deleted yet. They are deleted when its undo period is over, or by the next sweep after it is dropped with --purge`
    : `there is the ${kind} ${name}. Drop its contents with --purge (${remedy}) and wait for the next sweep, or create another environment`;
  return new ApiError('in-use', `${moved}, and ${there}.`, dropped ? {} : { remedy });
}

/** The secret for the storage, which must contain storage keys and serve no other purpose. @throws ApiError, AccessDeniedError */
async function requireSecret(
  ctx: Context,
  { id, name: environment }: Of,
  { storage_location: location, storage_secret: name }: StorageNames,
): Promise<StoredSecret | null> {
  if (location === null || name === null) return null;
  const keys = storageSecretKeys(location);
  const secret = await findSecret(ctx.db, { environmentId: id, name });
  if (secret === null) {
    const remedy = createCommand(name, environment, null);
    throw new ApiError(
      'not-found',
      `The environment ${environment} has no secret ${name}. Create it with ${keys}: ${remedy}`,
      { remedy },
    );
  }
  const fault = storageSecretError(location, secret.facts);
  if (fault !== null) {
    const remedy = rotateCommand(name, environment);
    throw new ApiError(
      'invalid-request',
      `storage_secret: the secret ${name} cannot open the storage: ${fault}. Rotate it with ${keys}: ${remedy}`,
      { remedy },
    );
  }
  if (secret.use === 'environment') return secret;
  if (secret.use !== null)
    throw new ApiError(
      'in-use',
      `The secret ${name} is ${useText(secret)}, and a secret can have only one use. Choose another secret.`,
    );
  ctx.require('MANAGE_SECRET', scopeOf({ environment }), await ctx.listGrants(null));
  return secret;
}

/** @throws ApiError `invalid-request` with the reason that the store reports */
async function tryIt(ctx: Context, { name, id }: Of, location: string, secret: StoredSecret | null): Promise<void> {
  const { deps } = ctx;
  const options = storageOptions(deps.settings, resolve(deps.settings.home), () => deps.clock().getTime());
  const keys = secret === null ? null : await keysIn(ctx, id, location, secret);
  const reason = await validateStorage(location, deps.newId(), { options, keys });
  if (reason === null) return;
  const by = secret === null ? "with the instance's own keys" : `with the keys of the secret ${secret.name}`;
  throw new ApiError(
    'invalid-request',
    `storage_location: ${location} cannot be used as the storage of environment ${name} ${by}: ${reason}. Nothing was changed.`,
  );
}

/** The bucket's keys in a secret. @throws ApiError `invalid-request` */
async function keysIn(ctx: Context, environmentId: string, location: string, { id, name }: StoredSecret) {
  const sealed = await findSealed(ctx.db, id);
  if (sealed === null) throw storageMoved();
  const keys = storageKeys(location, unseal(ctx.deps.sealing, { id, environmentId }, sealed));
  if (keys !== null) return keys;
  throw new ApiError(
    'invalid-request',
    `storage_secret: the secret ${name} can't open the storage: its values aren't valid. It requires ${storageSecretKeys(location)}.`,
  );
}

async function bind(ctx: Context, { id }: Of, { name, id: tried }: StoredSecret): Promise<void> {
  const secret = await findSecret(ctx.db, { environmentId: id, name });
  if (secret?.id !== tried) throw storageMoved();
  if (secret.use === 'environment') return;
  if (secret.use !== null) throw storageMoved();
  const binding = { use: 'environment' as const, id: null };
  await bindSecret(ctx.db, { id: tried, binding, by: ctx.caller.id, now: ctx.now });
  await auditBinding(ctx, secret, { use: 'environment' });
}
