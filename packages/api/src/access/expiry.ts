import { readInstant } from '@svc/core/contract';
import { invalid } from '@svc/core/errors';
import type { Context } from '../http/context.ts';

/** When a token or grant expires; null for never. @throws ApiError `invalid-request` for a time that has passed */
export function readExpiry(ctx: Context, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const at = readInstant(text)!;
  if (at > ctx.now) return at;
  throw invalid({ pointer: '/expires_at' }, 'must be in the future');
}
