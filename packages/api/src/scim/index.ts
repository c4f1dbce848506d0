import { INSTANCE } from '@svc/core/access';
import { ApiError } from '@svc/core/errors';
import { SCIM, SCIM_CONFIG, SCIM_RESOURCE_TYPES, SCIM_SCHEMAS } from '@svc/core/scim';
import { inTransaction } from '@svc/db/connection';
import { findScimProvider } from '@svc/db/scim';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { Context } from '../http/context.ts';
import type { ApiDeps } from '../http/deps.ts';
import { scopeRefusal } from '../http/guard/authorize.ts';
import { AccessDeniedError } from '../http/guard/denial.ts';
import { openRequest } from '../http/guard/open-request.ts';
import { recordDenial } from '../http/guard/record-denial.ts';
import { parseJson, readBody } from '../http/request/input.ts';
import { requestIdOf } from '../http/request/request-id.ts';
import { linger } from '../http/response/problem-response.ts';
import { setRouteName } from '../http/server/tracing.ts';
import type { ScimHandler } from './context.ts';
import { createGroupResource, deleteGroupResource, getGroup, listGroups, replaceGroup, updateGroup } from './groups.ts';
import { SCIM_TYPE, sendScimError } from './scim-error.ts';
import { createUser, deleteUser, getUser, listUsers, replaceUser, updateUser } from './users.ts';

const BASE = '/scim/v2';
const BODY_LIMIT = 1024 * 1024;

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

const fixedList = (resources: readonly object[]): ScimHandler => {
  const total = resources.length;
  const body = { schemas: [SCIM.list], totalResults: total, startIndex: 1, itemsPerPage: total, Resources: resources };
  return async () => ({ status: 200, body });
};

const ROUTES: readonly (readonly [Method, string, ScimHandler])[] = [
  ['get', '/ServiceProviderConfig', async () => ({ status: 200, body: SCIM_CONFIG })],
  ['get', '/Schemas', fixedList(SCIM_SCHEMAS)],
  ['get', '/ResourceTypes', fixedList(SCIM_RESOURCE_TYPES)],
  ['get', '/Users', listUsers],
  ['post', '/Users', createUser],
  ['get', '/Users/:id', getUser],
  ['put', '/Users/:id', replaceUser],
  ['patch', '/Users/:id', updateUser],
  ['delete', '/Users/:id', deleteUser],
  ['get', '/Groups', listGroups],
  ['post', '/Groups', createGroupResource],
  ['get', '/Groups/:id', getGroup],
  ['put', '/Groups/:id', replaceGroup],
  ['patch', '/Groups/:id', updateGroup],
  ['delete', '/Groups/:id', deleteGroupResource],
];

/** SCIM 2.0 (RFC 7643, RFC 7644), with which an identity provider manages people and groups (SCIM-1). */
export function scim(deps: ApiDeps): RequestHandler {
  const router = Router({ caseSensitive: true });
  for (const [method, path, handler] of ROUTES)
    router[method](`${BASE}${path}`, (req, res) => handle(deps, { method, path: `${BASE}${path}`, handler }, req, res));
  router.use(BASE, (_req, res) => {
    sendScimError(res, new ApiError('no-such-route', 'There is no such SCIM resource.'));
  });
  return router;
}

interface ScimRoute {
  method: Method;
  path: string;
  handler: ScimHandler;
}

async function handle(deps: ApiDeps, route: ScimRoute, req: Request, res: Response): Promise<void> {
  const endpoint = { method: route.method.toUpperCase(), path: route.path.replace(':id', '{id}') };
  setRouteName(res, { method: endpoint.method, route: endpoint.path });
  let ctx: Context | null = null;
  try {
    const request = await openRequest(deps, req, res, { target: INSTANCE, listId: 'scim' });
    ctx = new Context(request, { params: {}, query: {}, body: undefined });
    const provider = await requireProvider(ctx);
    // No action of a scope includes what the protocol changes (TOKEN-4).
    if (ctx.tokenScope !== null) throw scopeRefusal(ctx, endpoint);
    const id = req.params['id'] === undefined ? null : String(req.params['id']);
    const isRead = route.method === 'get';
    const raw = isRead ? null : await readBody(req, BODY_LIMIT);
    const body = raw === null ? undefined : parseJson(raw, req.get('content-type'));
    const opened = ctx;
    const run = () => route.handler({ ctx: opened, provider, id, body });
    const response = isRead
      ? await run()
      : await inTransaction(deps.db, async (tx) => {
          opened.db = tx;
          return run();
        });
    res.status(response.status).set('Cache-Control', 'no-store');
    if (response.body === undefined) res.end();
    else res.type(SCIM_TYPE).send(JSON.stringify(response.body));
  } catch (error) {
    if (ctx !== null && error instanceof AccessDeniedError) await recordDenial(ctx, { endpoint }, error);
    const known = sendScimError(res, error);
    if (known !== null && known.status >= 500)
      deps.log.error({ err: error, requestId: requestIdOf(res), path: req.path }, known.detail);
    if (!req.complete) linger(req);
  }
}

/** The provider that the caller manages people for. No grant allows it, ADMIN neither: only the provider's registration (SCIM-2). */
async function requireProvider(ctx: Context): Promise<{ id: string; name: string }> {
  const { caller } = ctx;
  const isToken = caller.token.kind === 'service-account';
  const provider = isToken ? await findScimProvider(ctx.db, caller.id) : null;
  if (provider !== null) return provider;
  const reason = 'it is not the SCIM account of an active identity provider';
  throw new AccessDeniedError(
    { action: null, object: INSTANCE, reason },
    {
      detail: `${caller.name} can't manage people here: ${reason}. An administrator sets it: svc identity-provider update NAME --scim-account ACCOUNT`,
    },
  );
}
