import { badRequest, type SignRequestBody, signRequestBody } from '@svc/core/catalog';
import { isStarted } from '@svc/db/drops';
import type { StoredStaging } from '@svc/db/staging';
import { isUnderLegalHold, tablesInside } from '@svc/db/tables';
import { isWithin } from '@svc/iceberg';
import { type RequestedObjects, type RequestSigner, UnsignableRequestError } from '@svc/lake/storage';
import type { Context } from '../../http/context.ts';
import { requireExisting } from '../../http/guard/authorize.ts';
import { AccessDeniedError } from '../../http/guard/denial.ts';
import { boundByPolicies, type CatalogContext, filesOf, requireAny } from '../protocol/context.ts';
import { type CatalogResponse, ok } from '../protocol/response.ts';
import { type CatalogRoute, change } from '../protocol/route.ts';
import { NEEDED } from './delegation.ts';
import { requireNamed } from './tables.ts';

async function requireSigner(ctx: CatalogContext): Promise<RequestSigner> {
  const signer = await ctx.deps.store.signerOf(ctx.storageRoot);
  if (signer !== null) return signer;
  if (ctx.storageRoot.startsWith('file:'))
    throw badRequest('The warehouse is a local folder of the server, so requests for its files need no signature.');
  throw badRequest('Only requests to S3 can be signed, and the warehouse is in another kind of bucket.');
}

/** @throws CatalogError for a request that can't be signed for anyone */
async function understood<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof UnsignableRequestError) throw badRequest(error.message);
    throw error;
  }
}

/** 403 that no grant on the table resolves. */
function deny(
  ctx: CatalogContext,
  access: RequestedObjects['access'],
  reason: string,
  instead = 'Request only files inside the location that loadTable returns.',
): AccessDeniedError {
  const detail = `The request is not signed: ${reason}. ${instead}`;
  return new AccessDeniedError({ action: NEEDED[access], object: ctx.target, reason }, { detail });
}

/** Requires the files to belong to the table, and not to a table inside its folder. @throws AccessDeniedError */
async function requireOwn(ctx: CatalogContext, { access, locations }: RequestedObjects, folder: string): Promise<void> {
  const foreign = locations.find((location) => !location.startsWith(`${folder}/`));
  const inner = foreign === undefined ? await tablesInside(ctx.db, folder) : [];
  const otherTable = foreign ?? locations.find((location) => inner.some((table) => isWithin(table, location)));
  if (otherTable === undefined) return;
  throw deny(ctx, access, 'the file does not belong to the table');
}

async function requireTableFiles(ctx: CatalogContext, objects: RequestedObjects): Promise<void> {
  const action = NEEDED[objects.access];
  ctx.require(action, ctx.target);
  requireExisting(ctx as Context);
  requireNamed(ctx, 'managed');
  const { bound, location } = filesOf(ctx);
  if (bound) throw boundByPolicies(action, ctx.target);
  if (action !== 'READ_TABLE') ctx.requireUnprotected(action);
  await requireOwn(ctx, objects, location!);
  if (objects.access === 'remove' && (await isUnderLegalHold(ctx.db, { id: ctx.table.id, now: ctx.now })))
    throw deny(ctx, 'remove', 'a legal hold keeps the files of the table', 'Release the hold first.');
}

/** Allows the folder assigned to a create transaction, which writes before it commits. @throws AccessDeniedError */
async function requireStarted(ctx: CatalogContext, objects: RequestedObjects): Promise<void> {
  ctx.requireUnprotected('CREATE_TABLE');
  const tablesRoot = `${ctx.storageRoot}/tables/${ctx.environment.id}/`;
  const [first = ''] = objects.locations;
  const [name = ''] = first.startsWith(tablesRoot) ? first.slice(tablesRoot.length).split('/') : [];
  const folder = `${tablesRoot}${name}`;
  if (name !== '' && (await isStarted(ctx.db, folder))) return requireOwn(ctx, objects, folder);
  throw deny(ctx, objects.access, 'the file does not belong to a table that is being created');
}

/**
 * Signs a request to read or write a file of a staging table, or to read one of the table whose rows it has first.
 * @throws AccessDeniedError for any other request
 */
export async function signRequestFor(
  ctx: CatalogContext<SignRequestBody>,
  { location, baseLocation }: Pick<StoredStaging, 'location' | 'baseLocation'>,
): Promise<CatalogResponse> {
  const signer = await requireSigner(ctx);
  const objects = await readRequest(ctx, signer);
  if (objects.access === 'remove') throw deny(ctx, objects.access, 'the service removes the files of staging tables');
  await requireOwn(ctx, objects, objects.access === 'read' ? (baseLocation ?? location) : location);
  return signed(ctx, signer, objects);
}

/** @throws CatalogError for a request that can't be signed for anyone */
async function readRequest(
  { body }: CatalogContext<SignRequestBody>,
  signer: RequestSigner,
): Promise<RequestedObjects> {
  if (body.provider != null && body.provider !== 's3') throw badRequest('Only requests to S3 can be signed.');
  return understood(() => signer.read(body));
}

async function signed(
  ctx: CatalogContext<SignRequestBody>,
  signer: RequestSigner,
  { access }: RequestedObjects,
): Promise<CatalogResponse> {
  // Clients may reuse a read signature for other parts of a file; every change needs a new signature.
  const cached = access === 'read' ? 'private' : 'no-cache';
  const signature = await understood(() => signer.sign(ctx.body, ctx.now));
  return { ...ok(signature), headers: { 'Cache-Control': cached } };
}

const sign = change(
  'signRequest',
  signRequestBody,
  async (ctx) => {
    if (ctx.object.namespace === null) requireExisting(ctx as Context);
    const signer = await requireSigner(ctx);
    const objects = await readRequest(ctx, signer);
    const creates = ctx.object.table === null && ctx.decide('CREATE_TABLE', namespaceOf(ctx)).allowed;
    await (creates ? requireStarted(ctx, objects) : requireTableFiles(ctx, objects));
    return signed(ctx, signer, objects);
  },
  {
    authorize: async (ctx) => {
      if (ctx.decide('CREATE_TABLE', namespaceOf(ctx)).allowed) return;
      requireAny(ctx, ['READ_TABLE', 'WRITE_TABLE', 'MAINTAIN_TABLE'], ctx.target);
    },
    needsNoTransaction: () => true,
  },
);

const namespaceOf = (ctx: CatalogContext) => ctx.scope({ namespace: ctx.params.namespace });

export const signRoutes: CatalogRoute[] = [sign];
