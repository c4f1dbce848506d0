import type { Route } from '../http/route.ts';
import { browserSessionRoutes } from './browser-session.ts';
import { grantRoutes } from './grants.ts';
import { groupRoutes } from './groups.ts';
import { ownPasswordRoutes } from './own-password.ts';
import { permissionRoutes } from './permissions.ts';
import { principalRoutes } from './principals.ts';
import { tokenRoutes } from './tokens.ts';
import { whoHasAccessRoutes } from './who-has-access.ts';

export { readExpiry } from './expiry.ts';
export { auditRevoked } from './grant-events.ts';
export { addGrant, readRight } from './grants.ts';
export { resolveObject } from './object-names.ts';

export const accessRoutes: Route[] = [
  ...principalRoutes,
  ...browserSessionRoutes,
  ...ownPasswordRoutes,
  ...tokenRoutes,
  ...groupRoutes,
  ...grantRoutes,
  ...permissionRoutes,
  ...whoHasAccessRoutes,
];
