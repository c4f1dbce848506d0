import { workerEndpoints as endpoints } from '@svc/core/workers';
import { listWorkers } from '@svc/db/workers';
import { allOrPage } from '../http/response/all-or-page.ts';
import { type Route, route } from '../http/route.ts';

const list = route(endpoints.list, async (ctx) =>
  allOrPage(ctx, await listWorkers(ctx.db, ctx.now), ({ host, id }) => [host, id]),
);

export const workerRoutes: Route[] = [list];
