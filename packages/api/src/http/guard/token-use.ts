import type { TokenUse, Uses } from '@svc/db/access';
import type { Request } from 'express';
import { clientAddress } from '../request/client-address.ts';
import { sessionOf } from '../request/session-request.ts';

const MAX_CLIENT = 200;

/** Records the use of a token by a request (TOKEN-2). */
export function noteTokenUse(uses: Uses<TokenUse>, id: string, req: Request, at: Date): void {
  uses.note(id, at, () => ({ id, at, ...origin(req) }));
}

function origin(req: Request): { address: string; client: string | null } {
  const session = sessionOf(req);
  const address = session?.origin.address ?? clientAddress(req);
  const client = session === null ? req.get('user-agent') : session.origin.application;
  const shown = (client ?? '').replaceAll(/[\x00-\x1f\x7f]/g, '').slice(0, MAX_CLIENT);
  return { address, client: shown === '' ? null : shown };
}
