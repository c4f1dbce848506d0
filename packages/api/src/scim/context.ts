import { ApiError } from '@svc/core/errors';
import { readFilter, SCIM, SCIM_MAX_COUNT, type ScimFilter, ScimInputError } from '@svc/core/scim';
import { isAdministered } from '@svc/db/scim';
import type { Context } from '../http/context.ts';
import { AccessDeniedError } from '../http/guard/denial.ts';
import { rawQuery } from '../http/request/input.ts';
import { publicUrl } from '../http/request/public-url.ts';

/** A request of the provider whose service account has sent it. */
export interface ScimContext {
  readonly ctx: Context;
  readonly provider: { readonly id: string; readonly name: string };
  /** Of a resource; null for a list. */
  readonly id: string | null;
  readonly body: unknown;
}

export type ScimHandler = (scim: ScimContext) => Promise<{ status: number; body?: object }>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws ApiError `not-found` for something that can't be an id */
export function idOf({ id }: ScimContext, what: string): string {
  if (id !== null && UUID.test(id)) return id.toLowerCase();
  throw missing(what, id ?? '');
}

export const missing = (what: string, id: string) => new ApiError('not-found', `There is no ${what} ${id}.`);

/** What a provider manages, except for administrators: nothing outside svc makes or unmakes one (SCIM-3). */
export async function requireManageable(
  { ctx }: ScimContext,
  { id, name }: { id: string; name: string },
): Promise<void> {
  if (!(await isAdministered(ctx.db, { id, now: ctx.now }))) return;
  const reason = 'it has ADMIN on the instance, which is managed in svc only';
  throw new AccessDeniedError(
    { action: null, object: ctx.target, reason },
    { detail: `${name} can't be changed: ${reason}.` },
  );
}

export interface ScimPage {
  readonly filter: ScimFilter | null;
  readonly offset: number;
  readonly limit: number;
}

/** `startIndex` counts from 1; values out of range become the nearest ones, as the protocol requires. */
export function pageOf({ ctx }: ScimContext, attributes: readonly ScimFilter['attribute'][]): ScimPage {
  const query = rawQuery(ctx.req.url);
  const one = (name: string): string | null => {
    const value = query[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const whole = (name: string, byDefault: number, max: number): number => {
    const value = one(name) ?? String(byDefault);
    if (!/^-?\d{1,9}$/.test(value)) throw new ScimInputError('invalidValue', `${name} must be a whole number.`);
    return Math.min(Math.max(Number(value), 0), max);
  };
  const filter = one('filter');
  return {
    filter: filter === null ? null : readFilter(filter, attributes),
    offset: Math.max(whole('startIndex', 1, 999_999_999), 1) - 1,
    limit: whole('count', 100, SCIM_MAX_COUNT),
  };
}

export const listResponse = (resources: readonly object[], { offset }: ScimPage, total: number) => ({
  schemas: [SCIM.list],
  totalResults: total,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: resources,
});

export function metaOf(
  { ctx }: ScimContext,
  resourceType: 'User' | 'Group',
  { id, created_at, updated_at }: { id: string; created_at: Date; updated_at: Date },
) {
  return {
    resourceType,
    created: created_at.toISOString(),
    lastModified: updated_at.toISOString(),
    location: `${publicUrl(ctx.deps, ctx.req)}/scim/v2/${resourceType}s/${id}`,
  };
}

/** Whether a list or a resource is requested without its members. */
export const excludesMembers = ({ ctx }: ScimContext): boolean =>
  String(rawQuery(ctx.req.url)['excludedAttributes'] ?? '')
    .toLowerCase()
    .split(',')
    .includes('members');

/** Names stay: grants, events and commands name people and groups. */
export function requireSameName(before: string, after: string, attribute: string): void {
  if (before.toLowerCase() === after.toLowerCase()) return;
  throw new ScimInputError('mutability', `${attribute} can't change from "${before}" to "${after}".`);
}

export const externalIdTaken = (externalId: string | null) =>
  new ApiError('already-exists', `Another resource has the externalId ${externalId}.`);
