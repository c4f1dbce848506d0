import * as z from 'zod';
import { action, expiryTime, objectNames } from '../access/contract/parameters.ts';
import { ACTIONS, OBJECT_KINDS, ROLES } from '../access/index.ts';
import { anyCaseEnum, endpoint, filterName, needs, paging } from '../contract/index.ts';
import { MAX_TEXT, REQUEST_STATES } from './request-states.ts';

const time = z.iso.datetime();

export const accessRequestSchema = z
  .object({
    id: z.uuid(),
    principal: z.string(),
    role: z.enum(ROLES).nullable(),
    action: z.enum(ACTIONS).nullable(),
    kind: z.enum(OBJECT_KINDS),
    environment: z.string().nullable(),
    namespace: z.string().nullable(),
    table: z.string().nullable(),
    service_account: z.string().nullable(),
    reason: z.string().nullable(),
    expires_at: time.nullable().meta({ description: 'until when the access is requested; null: until it is revoked' }),
    state: z.enum(REQUEST_STATES),
    created_at: time,
    decided_at: time.nullable(),
    decided_by: z.string().nullable(),
    comment: z.string().nullable(),
    grant_id: z.uuid().nullable(),
  })
  .meta({ id: 'AccessRequest' });
export type AccessRequest = z.infer<typeof accessRequestSchema>;

const path = '/api/v1/access-requests';
const params = z.object({ id: z.string() });
const text = z
  .string()
  .trim()
  .max(MAX_TEXT, 'must be at most 2,000 characters')
  .transform((value) => (value === '' ? null : value))
  .nullable();
const state = anyCaseEnum(REQUEST_STATES).refine(
  (value) => REQUEST_STATES.some((one) => one === value),
  `must be one of ${REQUEST_STATES.join(', ')}`,
);
const signedIn = { kind: 'signed-in', taskTokens: false } as const;

export const accessRequestEndpoints = {
  create: endpoint({
    id: 'accessRequests.create',
    method: 'POST',
    path,
    summary: 'Request a role or a single action on an object for yourself',
    client: {
      exactlyOne: [['role', 'action']],
      notes:
        'The object is the innermost one that is named; without any name, the instance. It need not be visible to you.',
      typescript: { object: 'body' },
    },
    needs: signedIn,
    body: z.strictObject({
      role: anyCaseEnum(ROLES).optional(),
      action: action.optional(),
      ...objectNames,
      reason: text.default(null),
      expires_at: expiryTime.optional(),
    }),
    response: { status: 201, schema: accessRequestSchema },
    errors: ['already-exists', 'duplicate-grant'],
  }),
  list: endpoint({
    id: 'accessRequests.list',
    method: 'GET',
    path,
    summary: "List the caller's requests for access, newest first; with `ADMIN` on the instance those of everyone",
    client: { typescript: { type: 'AccessRequestFilters' } },
    needs: signedIn,
    query: z.strictObject({ state: state.optional(), principal: filterName, ...paging }),
    response: { status: 200, schema: z.array(accessRequestSchema), list: true, paged: true },
  }),
  approve: endpoint({
    id: 'accessRequests.approve',
    method: 'POST',
    path: `${path}/{id}/approve`,
    summary: 'Approve a request for access, which creates the grant',
    client: {},
    needs: needs('MANAGE_GRANT', 'INSTANCE'),
    params,
    body: z.strictObject({
      expires_at: expiryTime.nullable().optional().meta({ description: 'default: as requested; null: never' }),
      comment: text.default(null),
    }),
    bodyOptional: true,
    response: { status: 200, schema: accessRequestSchema },
    errors: ['not-found', 'already-decided'],
  }),
  reject: endpoint({
    id: 'accessRequests.reject',
    method: 'POST',
    path: `${path}/{id}/reject`,
    summary: 'Reject a request for access',
    client: {},
    needs: needs('MANAGE_GRANT', 'INSTANCE'),
    params,
    body: z.strictObject({ comment: text.default(null) }),
    bodyOptional: true,
    response: { status: 200, schema: accessRequestSchema },
    errors: ['not-found', 'already-decided'],
  }),
  withdraw: endpoint({
    id: 'accessRequests.withdraw',
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Withdraw a pending request for access of yours',
    client: {},
    needs: signedIn,
    params,
    response: { status: 204 },
    errors: ['not-found', 'already-decided'],
  }),
};
