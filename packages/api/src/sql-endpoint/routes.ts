import { sqlEndpointEndpoints as endpoints, sqlAddress } from '@svc/core/sql-endpoint';
import { type Route, route } from '../http/route.ts';

const get = route(endpoints.get, async ({ deps, req }) => ({
  address: sqlAddress(deps.settings, { port: deps.sqlPort, requestHost: req.headers.host ?? '' }),
}));

export const sqlEndpointRoutes: Route[] = [get];
