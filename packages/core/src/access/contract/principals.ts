import * as z from 'zod';
import { endpoint, needs, paging, search } from '../../contract/index.ts';
import { principalName } from '../names.ts';
import { principalSchema } from '../records.ts';
import { oneName, password } from './parameters.ts';

/** People and service accounts. */
export const principalsEndpoints = {
  createPrincipal: endpoint({
    id: 'principals.create',
    method: 'POST',
    path: '/api/v1/principals',
    summary: 'Create a person or a service account',
    client: {
      notes: 'Only a person can have a password.',
      typescript: { object: 'body' },
      python: { positional: ['name'], defaults: { type: 'person' } },
    },
    needs: needs('MANAGE_PRINCIPAL', 'INSTANCE'),
    body: z.strictObject({
      name: principalName,
      type: z.enum(['person', 'service-account']),
      password: password.optional(),
    }),
    response: { status: 201, schema: principalSchema },
    errors: ['already-exists'],
  }),
  listPrincipals: endpoint({
    id: 'principals.list',
    method: 'GET',
    path: '/api/v1/principals',
    summary: 'List principals, newest first',
    client: { fields: { q: 'search' }, typescript: { type: 'SearchOptions' } },
    needs: needs('MANAGE_PRINCIPAL', 'INSTANCE'),
    query: z.strictObject({ q: search, ...paging }),
    response: { status: 200, schema: z.array(principalSchema), list: true, paged: true },
  }),
  getPrincipal: endpoint({
    id: 'principals.get',
    method: 'GET',
    path: '/api/v1/principals/{name}',
    summary: 'Get a principal',
    client: {},
    needs: needs('MANAGE_PRINCIPAL', 'INSTANCE'),
    params: oneName,
    response: { status: 200, schema: principalSchema },
    errors: ['not-found'],
  }),
  updatePrincipal: endpoint({
    id: 'principals.update',
    method: 'PATCH',
    path: '/api/v1/principals/{name}',
    summary: 'Activate or deactivate a principal, or set its password',
    client: { notes: '`null` removes the password.' },
    needs: needs('MANAGE_PRINCIPAL', 'INSTANCE'),
    params: oneName,
    body: z
      .strictObject({ active: z.boolean().optional(), password: password.nullable().optional() })
      .refine((b) => Object.keys(b).length > 0, 'name at least one of active, password')
      .meta({ minProperties: 1 }),
    response: { status: 200, schema: principalSchema },
    errors: ['not-found', 'last-admin'],
  }),
  deletePrincipal: endpoint({
    id: 'principals.delete',
    method: 'DELETE',
    path: '/api/v1/principals/{name}',
    summary: 'Delete a principal with its grants, memberships and tokens',
    client: { notes: 'Fails with `Conflict` for the last administrator.' },
    needs: needs('MANAGE_PRINCIPAL', 'INSTANCE'),
    params: oneName,
    response: { status: 204 },
    errors: ['not-found', 'last-admin'],
  }),
};
