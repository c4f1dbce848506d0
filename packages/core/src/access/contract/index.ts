import { browserSessionEndpoints } from './browser-session.ts';
import { grantsEndpoints } from './grants.ts';
import { groupsEndpoints } from './groups.ts';
import { permissionsEndpoints } from './permissions.ts';
import { principalsEndpoints } from './principals.ts';
import { sessionEndpoints } from './session.ts';
import { tokensEndpoints } from './tokens.ts';

export const accessEndpoints = {
  ...sessionEndpoints,
  ...browserSessionEndpoints,
  ...principalsEndpoints,
  ...permissionsEndpoints,
  ...tokensEndpoints,
  ...groupsEndpoints,
  ...grantsEndpoints,
};
