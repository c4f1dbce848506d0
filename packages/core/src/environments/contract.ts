import * as z from 'zod';
import { description, environmentName } from '../access/names.ts';
import { decided, endpoint, flag, needs } from '../contract/index.ts';

export const environmentSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    protected: z.boolean(),
    description: z.string().nullable(),
    retention_days: z.int().nullable(),
    created_at: z.iso.datetime(),
    deleted_at: z.iso.datetime().nullable(),
    purge_after: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Environment' });
export type Environment = z.infer<typeof environmentSchema>;

export const envParams = z.object({ env: z.string() });

export const environmentEndpoints = {
  create: endpoint({
    id: 'environments.create',
    method: 'POST',
    path: '/api/v1/environments',
    summary: 'Create an environment',
    needs: needs('MANAGE_ENVIRONMENT', 'INSTANCE'),
    body: z.strictObject({
      name: environmentName,
      protected: z.boolean().default(false),
      description: description.nullable().default(null),
    }),
    answer: { status: 201, schema: environmentSchema },
    errors: ['already-exists', 'name-held-by-deleted'],
  }),
  list: endpoint({
    id: 'environments.list',
    method: 'GET',
    path: '/api/v1/environments',
    summary: 'The environments the caller may read, by name',
    needs: decided(
      'lists what READ_ENVIRONMENT covers; deleted=true needs MANAGE_ENVIRONMENT on the instance',
      'READ_ENVIRONMENT',
      'MANAGE_ENVIRONMENT',
    ),
    query: z.strictObject({ deleted: flag }),
    answer: { status: 200, schema: z.array(environmentSchema), list: true },
  }),
  get: endpoint({
    id: 'environments.get',
    method: 'GET',
    path: '/api/v1/environments/{env}',
    summary: 'One environment',
    needs: needs('READ_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams,
    answer: { status: 200, schema: environmentSchema },
    errors: ['not-found', 'environment-deleted'],
  }),
  update: endpoint({
    id: 'environments.update',
    method: 'PATCH',
    path: '/api/v1/environments/{env}',
    summary: 'Protect, unprotect or describe an environment',
    needs: needs('MANAGE_ENVIRONMENT', 'ENVIRONMENT'),
    params: envParams,
    body: z
      .strictObject({ protected: z.boolean().optional(), description: description.nullable().optional() })
      .refine((b) => Object.keys(b).length > 0, 'name at least one of protected, description'),
    answer: { status: 200, schema: environmentSchema },
    errors: ['not-found', 'environment-deleted'],
  }),
};
