import type { ObjectScope } from '@svc/core/access';
import type { Request, Response } from 'express';
import type { ContextInit } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { requestIdOf } from '../request/request-id.ts';
import { spanOf } from '../server/tracing.ts';
import { admit } from './admit.ts';
import { authenticate } from './authorize.ts';

/** Identifies the caller of a request and counts it, before anything is authorized. @throws ApiError */
export async function openRequest(
  deps: ApiDeps,
  req: Request,
  res: Response,
  { target, listId, files = false }: { target: ObjectScope; listId: string; files?: boolean },
): Promise<ContextInit> {
  const now = deps.clock();
  const found = await authenticate(deps, req, target, now, files);
  spanOf(res)?.setAttributes({ 'user.id': found.caller.id });
  admit(deps, req, res, { caller: found.caller, now });
  return { deps, req, res, requestId: requestIdOf(res), now, listId, target, breakGlass: null, ...found };
}
