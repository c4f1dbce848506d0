import * as z from 'zod';
import { decided, endpoint, filterName, needs, unpagedByDefault } from '../../contract/index.ts';
import { principalName } from '../names.ts';
import { issuedTokenSchema, mintedTokenSchema, tokenSchema } from '../records.ts';
import { expiryTime, oneName, tokenScope } from './parameters.ts';

const MAX_OVERLAP_SECONDS = 7 * 86_400;
const OTHERS_TOKENS = 'for tokens of another principal, the ADMIN role on the instance';
/** Tokens of principals and of tasks. */
export const tokensEndpoints = {
  issueToken: endpoint({
    id: 'tokens.issue',
    method: 'POST',
    path: '/api/v1/principals/{name}/tokens',
    summary: 'Issue a token. It is shown only once',
    client: { path: { name: 'principal' }, positional: ['name'], typescript: { type: 'IssueTokenOptions' } },
    needs: needs('MANAGE_TOKEN', 'INSTANCE', { orSelf: OTHERS_TOKENS }),
    params: oneName,
    body: z.strictObject({ name: principalName, expires_at: expiryTime.optional(), ...tokenScope }),
    response: { status: 201, schema: issuedTokenSchema },
    errors: ['not-found'],
    noIdempotency: true,
  }),
  listTokens: endpoint({
    id: 'tokens.list',
    method: 'GET',
    path: '/api/v1/principals/{name}/tokens',
    summary: 'List the active tokens of a principal',
    client: { path: { name: 'principal' } },
    needs: needs('MANAGE_TOKEN', 'INSTANCE', { orSelf: OTHERS_TOKENS }),
    params: oneName,
    query: z.strictObject(unpagedByDefault),
    response: { status: 200, schema: z.array(tokenSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  rotateToken: endpoint({
    id: 'tokens.rotate',
    method: 'POST',
    path: '/api/v1/tokens/{id}/rotate',
    summary: 'Replace a token with a new one, which is shown only once. The old one works for a while longer',
    client: {},
    needs: decided('MANAGE_TOKEN, except for your own tokens; never with a task token or a scope', 'MANAGE_TOKEN'),
    params: z.object({ id: z.string() }),
    body: z.strictObject({
      overlap_seconds: z
        .int()
        .min(0)
        .max(MAX_OVERLAP_SECONDS)
        .optional()
        .meta({ description: 'how long the old token still works (default: a day); 0 revokes it at once' }),
    }),
    bodyOptional: true,
    response: { status: 201, schema: issuedTokenSchema },
    errors: ['not-found', 'token-rotated'],
    noIdempotency: true,
  }),
  revokeToken: endpoint({
    id: 'tokens.revoke',
    method: 'DELETE',
    path: '/api/v1/tokens/{id}',
    summary: 'Revoke a token',
    client: {},
    needs: {
      ...decided('MANAGE_TOKEN, except for your own tokens; never with a task token', 'MANAGE_TOKEN'),
      endsItself: true,
    },
    params: z.object({ id: z.string() }),
    response: { status: 204 },
    errors: ['not-found'],
  }),
  mintTaskToken: endpoint({
    id: 'tokens.mintTask',
    method: 'POST',
    path: '/api/v1/task-tokens',
    summary: 'Mint a task token that is valid for at most one hour',
    client: {
      notes: 'It works in one environment. A token of another principal requires the ADMIN role.',
      typescript: { object: 'body' },
    },
    needs: needs('MINT_TASK_TOKEN', 'INSTANCE'),
    // Without an environment, the token is bound to the first environment that it is used in.
    body: z.strictObject({ environment: filterName, principal: filterName }),
    bodyOptional: true,
    response: { status: 201, schema: mintedTokenSchema },
    errors: ['not-found'],
    noIdempotency: true,
  }),
};
