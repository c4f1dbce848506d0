import { Transform } from 'node:stream';
import type { Context } from '../context.ts';
import type { Route } from '../route.ts';
import { MOMENT_MS, requireStillAllowed } from './authorize.ts';

/** An upload can take hours, and a request that waits a minute. @throws ApiError */
export async function requireAllowedAfter(ctx: Context, route: Route): Promise<void> {
  const now = ctx.deps.clock();
  if (now.getTime() - ctx.now.getTime() > MOMENT_MS) await requireStillAllowed(ctx, route, now);
}

/** Passes the pieces of a response on for as long as its caller may receive them. */
export function whileAllowed(ctx: Context, route: Route): Transform {
  let checkedAt = ctx.now.getTime();
  return new Transform({
    transform(piece, _encoding, done) {
      const now = ctx.deps.clock();
      if (now.getTime() - checkedAt <= MOMENT_MS) return done(null, piece);
      checkedAt = now.getTime();
      requireStillAllowed(ctx, route, now).then(() => done(null, piece), done);
    },
  });
}
