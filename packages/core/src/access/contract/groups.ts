import * as z from 'zod';
import { endpoint, needs, paging, search, wholePaging } from '../../contract/index.ts';
import { principalName } from '../names.ts';
import { groupSchema, principalSchema } from '../records.ts';
import { oneName } from './parameters.ts';

/** Groups and their members. */
export const groupsEndpoints = {
  createGroup: endpoint({
    id: 'groups.create',
    method: 'POST',
    path: '/api/v1/groups',
    summary: 'Create a group',
    needs: needs('MANAGE_GROUP', 'INSTANCE'),
    body: z.strictObject({ name: principalName }),
    answer: { status: 201, schema: groupSchema },
    errors: ['already-exists'],
  }),
  listGroups: endpoint({
    id: 'groups.list',
    method: 'GET',
    path: '/api/v1/groups',
    summary: 'List groups, newest first',
    needs: needs('MANAGE_GROUP', 'INSTANCE'),
    query: z.strictObject({ q: search, ...paging }),
    answer: { status: 200, schema: z.array(groupSchema), list: true, paged: true },
  }),
  getGroup: endpoint({
    id: 'groups.get',
    method: 'GET',
    path: '/api/v1/groups/{name}',
    summary: 'Get a group',
    needs: needs('MANAGE_GROUP', 'INSTANCE'),
    params: oneName,
    answer: { status: 200, schema: groupSchema },
    errors: ['not-found'],
  }),
  deleteGroup: endpoint({
    id: 'groups.delete',
    method: 'DELETE',
    path: '/api/v1/groups/{name}',
    summary: 'Delete a group with its grants and memberships',
    needs: needs('MANAGE_GROUP', 'INSTANCE'),
    params: oneName,
    answer: { status: 204 },
    errors: ['not-found', 'last-admin'],
  }),
  listMembers: endpoint({
    id: 'groups.members',
    method: 'GET',
    path: '/api/v1/groups/{name}/members',
    summary: 'List the members of a group',
    needs: needs('MANAGE_GROUP', 'INSTANCE'),
    params: oneName,
    query: z.strictObject(wholePaging),
    answer: { status: 200, schema: z.array(principalSchema), list: true, paged: true },
    errors: ['not-found'],
  }),
  addMember: endpoint({
    id: 'groups.addMember',
    method: 'PUT',
    path: '/api/v1/groups/{name}/members/{principal}',
    summary: 'Add a principal to a group',
    needs: needs('MANAGE_GROUP', 'INSTANCE'),
    params: z.object({ name: z.string(), principal: z.string() }),
    answer: { status: 204 },
    errors: ['not-found'],
  }),
  removeMember: endpoint({
    id: 'groups.removeMember',
    method: 'DELETE',
    path: '/api/v1/groups/{name}/members/{principal}',
    summary: 'Remove a principal from a group',
    needs: needs('MANAGE_GROUP', 'INSTANCE'),
    params: z.object({ name: z.string(), principal: z.string() }),
    answer: { status: 204 },
    errors: ['not-found', 'last-admin'],
  }),
};
