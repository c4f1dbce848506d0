import { trimEnd } from '@svc/core/contract';
import { ApiError } from '@svc/core/errors';
import type { Request } from 'express';
import type { ApiDeps } from '../deps.ts';

/** The address at which people reach the service: the configured one, or that of the request. Without a final slash. */
export function publicUrl({ settings }: Pick<ApiDeps, 'settings'>, req: Request): string {
  const base = settings.publicUrl ?? `${req.protocol}://${req.get('host')}`;
  if (!URL.canParse(base))
    throw new ApiError('malformed-request', 'The header Host is not the address of a service. Correct it.');
  return trimEnd(base, '/');
}
