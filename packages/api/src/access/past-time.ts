import { invalid } from '@svc/core/errors';
import type { Context } from '../http/context.ts';

/** The requested time in the past; null for the present. @throws ApiError if it is in the future */
export function pastTime(ctx: Pick<Context, 'now'>, time: Date | undefined): Date | null {
  if (time !== undefined && time > ctx.now) throw invalid({ parameter: 'at' }, 'must not be in the future');
  return time ?? null;
}
