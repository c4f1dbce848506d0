import * as z from 'zod';
import { anyCaseEnum, endpoint, filterName, flag, instantText, needs, paging } from '../../contract/index.ts';
import { ROLES } from '../actions.ts';
import { OBJECT_KINDS } from '../objects.ts';
import { grantSchema, revocationPreviewSchema } from '../records.ts';
import { action, expiryTime, objectNames } from './parameters.ts';

/** Grants of roles and single actions. */
export const grantsEndpoints = {
  createGrant: endpoint({
    id: 'grants.create',
    method: 'POST',
    path: '/api/v1/grants',
    summary: 'Grant a role or a single action',
    client: {
      exactlyOne: [
        ['principal', 'group'],
        ['role', 'action'],
      ],
      notes: 'It applies to a principal or a group, on the object of that kind.',
      typescript: { object: 'body' },
      python: { positional: ['kind'] },
    },
    needs: needs('MANAGE_GRANT', 'INSTANCE'),
    body: z.strictObject({
      kind: anyCaseEnum(OBJECT_KINDS),
      principal: filterName,
      group: filterName,
      role: anyCaseEnum(ROLES).optional(),
      action: action.optional(),
      ...objectNames,
      expires_at: expiryTime.optional(),
    }),
    response: { status: 201, schema: grantSchema },
    errors: ['not-found', 'duplicate-grant'],
  }),
  listGrants: endpoint({
    id: 'grants.list',
    method: 'GET',
    path: '/api/v1/grants',
    summary: 'List active grants, newest first',
    client: {
      notes: 'Filters combine with AND. At most one of `principal_name` and `group_name` can be set.',
      typescript: { type: 'GrantFilters' },
    },
    needs: needs('MANAGE_GRANT', 'INSTANCE'),
    query: z.strictObject({
      principal_name: filterName,
      group_name: filterName,
      action: action.optional(),
      ...objectNames,
      unused_since: instantText
        .optional()
        .meta({ description: 'only grants that were created before this time and have allowed nothing since' }),
      ...paging,
    }),
    response: { status: 200, schema: z.array(grantSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  revokeGrant: endpoint({
    id: 'grants.revoke',
    method: 'DELETE',
    path: '/api/v1/grants/{id}',
    summary: 'Revoke a grant',
    client: { without: ['dry_run'] },
    needs: needs('MANAGE_GRANT', 'INSTANCE'),
    params: z.object({ id: z.string() }),
    query: z.strictObject({ dry_run: flag }),
    response: { status: 204 },
    otherResponses: { 200: revocationPreviewSchema },
    errors: ['not-found', 'last-admin'],
  }),
};
