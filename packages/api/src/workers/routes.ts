import { workerEndpoints as endpoints } from '@svc/core/workers';
import { listWorkers } from '@svc/db/workers';
import { wholeOrPage } from '../http/answer/whole-list.ts';
import { type Route, route } from '../http/route.ts';

const list = route(endpoints.list, async (ctx) =>
  wholeOrPage(ctx, await listWorkers(ctx.db, ctx.now), ({ host, id }) => [host, id]),
);

export const workerRoutes: Route[] = [list];
