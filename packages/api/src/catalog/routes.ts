import { commitRoutes } from './commits.ts';
import { configRoutes } from './config.ts';
import { createRoutes } from './create-table.ts';
import { namespaceRoutes } from './namespaces.ts';
import { registerRoutes } from './register-table.ts';
import { renameRoutes } from './rename.ts';
import type { CatalogRoute } from './route.ts';
import { signRoutes } from './sign.ts';
import { tableRoutes } from './tables.ts';
import { viewRoutes } from './views.ts';

/** The handlers of the protocol; the token route has no caller and stands apart. */
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
