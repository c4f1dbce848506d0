import { namespaceRoutes } from './namespaces.ts';
import { configRoutes } from './protocol/config.ts';
import type { CatalogRoute } from './protocol/route.ts';
import { renameRoutes } from './rename.ts';
import { commitRoutes } from './tables/commits.ts';
import { createRoutes } from './tables/create-table.ts';
import { registerRoutes } from './tables/register-table.ts';
import { signRoutes } from './tables/sign.ts';
import { tableRoutes } from './tables/tables.ts';
import { viewRoutes } from './views/views.ts';

/** The handlers of the protocol, except the token route, which has no authenticated caller. */
export const CATALOG_ROUTES: readonly CatalogRoute[] = [
  ...configRoutes,
  ...namespaceRoutes,
  ...tableRoutes,
  ...signRoutes,
  ...createRoutes,
  ...registerRoutes,
  ...commitRoutes,
  ...renameRoutes,
  ...viewRoutes,
];
