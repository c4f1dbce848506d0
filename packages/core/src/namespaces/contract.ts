import * as z from 'zod';
import { description, namespacePath } from '../access/names.ts';
import { decided, endpoint, needs, paging } from '../contract/index.ts';
import { envParams } from '../environments/contract.ts';

export const namespaceSchema = z
  .object({ path: z.string(), description: z.string().nullable(), created_at: z.iso.datetime() })
  .meta({ id: 'Namespace' });
export type Namespace = z.infer<typeof namespaceSchema>;

export const namespaceParams = envParams.extend({ path: z.string() });

export const namespaceEndpoints = {
  create: endpoint({
    id: 'namespaces.create',
    method: 'POST',
    path: '/api/v1/environments/{env}/namespaces',
    summary: 'Create a namespace',
    client: { positional: ['path'], breakGlass: true },
    needs: decided(
      'CREATE_NAMESPACE on the parent namespace, or on the environment for a top-level namespace',
      'CREATE_NAMESPACE',
    ),
    params: envParams,
    body: z.strictObject({ path: namespacePath, description: description.nullable().default(null) }),
    response: { status: 201, schema: namespaceSchema },
    errors: ['not-found', 'already-exists', 'environment-protected'],
  }),
  list: endpoint({
    id: 'namespaces.list',
    method: 'GET',
    path: '/api/v1/environments/{env}/namespaces',
    summary: 'List the namespaces that the caller can read, by path',
    client: { python: { lists: { all: 'list' } } },
    needs: decided('READ_NAMESPACE on at least one namespace; lists only the namespaces it covers', 'READ_NAMESPACE'),
    params: envParams,
    query: z.strictObject({ ...paging }),
    response: { status: 200, schema: z.array(namespaceSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  get: endpoint({
    id: 'namespaces.get',
    method: 'GET',
    path: '/api/v1/environments/{env}/namespaces/{path}',
    summary: 'Get a namespace',
    client: {},
    needs: needs('READ_NAMESPACE', 'NAMESPACE'),
    params: namespaceParams,
    response: { status: 200, schema: namespaceSchema },
    errors: ['not-found'],
  }),
  update: endpoint({
    id: 'namespaces.update',
    method: 'PATCH',
    path: '/api/v1/environments/{env}/namespaces/{path}',
    summary: 'Change the description of a namespace',
    client: { breakGlass: true },
    needs: needs('MANAGE_NAMESPACE', 'NAMESPACE'),
    params: namespaceParams,
    body: z.strictObject({ description: description.nullable() }),
    response: { status: 200, schema: namespaceSchema },
    errors: ['not-found', 'environment-protected'],
  }),
  delete: endpoint({
    id: 'namespaces.delete',
    method: 'DELETE',
    path: '/api/v1/environments/{env}/namespaces/{path}',
    summary: 'Drop an empty namespace',
    client: { breakGlass: true, notes: 'Fails with `Conflict` if it contains tables or namespaces.' },
    needs: needs('DROP_NAMESPACE', 'NAMESPACE'),
    params: namespaceParams,
    response: { status: 204 },
    errors: ['not-found', 'namespace-not-empty', 'environment-protected'],
  }),
};
