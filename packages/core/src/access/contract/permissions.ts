import * as z from 'zod';
import { endpoint, instantText, needs, paging } from '../../contract/index.ts';
import { holderSchema, permissionsSchema, reachedObjectSchema } from '../records.ts';
import { action, objectNames, oneName } from './parameters.ts';

const pastTime = instantText.optional().meta({ description: 'a time in the past (default: now)' });
const OTHERS = 'for another principal, the ADMIN role on the instance';

/** Who can access what, and which grants allow it. */
export const permissionsEndpoints = {
  permissions: endpoint({
    id: 'principals.permissions',
    method: 'GET',
    path: '/api/v1/principals/{name}/permissions',
    summary: 'List the actions that a principal is allowed on an object, and the grants that allow them',
    client: { notes: 'The default object is the instance.', typescript: { object: 'scope', type: 'ScopeOptions' } },
    needs: needs('MANAGE_GRANT', 'INSTANCE', { orSelf: OTHERS }),
    params: oneName,
    query: z.strictObject({ ...objectNames, at: pastTime }),
    response: { status: 200, schema: permissionsSchema },
    errors: ['not-found'],
  }),
  who: endpoint({
    id: 'access.who',
    method: 'GET',
    path: '/api/v1/access/who',
    summary: 'List the principals that are allowed an action on an object, and the grants that allow it',
    client: {
      notes: 'The default object is the instance.',
      typescript: { type: 'WhoOptions', lists: { page: 'whoPage', iterate: 'who' } },
      python: { positional: ['action'], lists: { iterate: 'who' } },
    },
    needs: needs('MANAGE_GRANT', 'INSTANCE'),
    query: z.strictObject({ ...objectNames, action, at: pastTime, ...paging }),
    response: { status: 200, schema: z.array(holderSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  objects: endpoint({
    id: 'principals.objects',
    method: 'GET',
    path: '/api/v1/principals/{name}/objects',
    summary: 'List the objects that a principal can access, and the grants that allow it',
    client: {
      typescript: { type: 'ObjectsOptions', lists: { page: 'objectsPage', iterate: 'objects' } },
      python: { lists: { iterate: 'objects' } },
    },
    needs: needs('MANAGE_GRANT', 'INSTANCE', { orSelf: OTHERS }),
    params: oneName,
    query: z.strictObject({ action: action.optional(), ...paging }),
    response: { status: 200, schema: z.array(reachedObjectSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
};
