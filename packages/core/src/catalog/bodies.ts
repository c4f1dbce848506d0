import * as z from 'zod';
import { catalogName, identifier, MAX_LOCATION, namespaceLevels } from './names.ts';

/** Request bodies of the protocol; unknown fields are ignored (HTTP-10). */
const properties = z.record(z.string(), z.string());
/** No object store accepts longer paths. */
const location = z.string().max(MAX_LOCATION, `must be at most ${MAX_LOCATION} characters`);
const anyObject = z.record(z.string(), z.unknown());

export const createNamespaceBody = z.object({ namespace: namespaceLevels, properties: properties.optional() });
export const updatePropertiesBody = z.object({
  removals: z.array(z.string()).nullish(),
  updates: properties.nullish(),
});
export const createTableBody = z.object({
  name: catalogName,
  location: location.nullish(),
  schema: anyObject,
  'partition-spec': anyObject.nullish(),
  'write-order': anyObject.nullish(),
  'stage-create': z.boolean().nullish(),
  properties: properties.nullish(),
});
export const registerBody = z.object({
  name: catalogName,
  'metadata-location': location,
  overwrite: z.boolean().nullish(),
});

/**
 * Per commit, and for all tables of a transaction together. Engines send a handful, or one per snapshot when they
 * expire snapshots.
 */
const MAX_UPDATES = 5000;
const MAX_REQUIREMENTS = 1000;
const MAX_TABLES = 100;
const tooMany = (count: number, items: string) => `must be at most ${count} ${items}: send several commits`;

const requirement = z.object({ type: z.string() }).loose();
const update = z.object({ action: z.string() }).loose();
export const commitBody = z.object({
  identifier: identifier.nullish(),
  requirements: z.array(requirement).max(MAX_REQUIREMENTS, tooMany(MAX_REQUIREMENTS, 'requirements')).nullish(),
  updates: z.array(update).max(MAX_UPDATES, tooMany(MAX_UPDATES, 'updates')),
});
export type CommitBody = z.infer<typeof commitBody>;
export const commitTransactionBody = z.object({
  'table-changes': z
    .array(commitBody.extend({ identifier }))
    .max(MAX_TABLES, tooMany(MAX_TABLES, 'tables'))
    .refine((changes) => changes.reduce((sum, { updates }) => sum + updates.length, 0) <= MAX_UPDATES, {
      error: tooMany(MAX_UPDATES, 'updates of all tables together'),
    }),
});
export const renameBody = z.object({ source: identifier, destination: identifier });
export const metricsBody = z.object({ 'report-type': z.string() }).loose();
export const signRequestBody = z.object({
  region: z.string(),
  uri: z.string(),
  method: z.enum(['PUT', 'GET', 'HEAD', 'POST', 'DELETE', 'PATCH', 'OPTIONS']),
  headers: z.record(z.string(), z.array(z.string())),
  body: z.string().nullish(),
  provider: z.string().nullish(),
});
export type SignRequestBody = z.infer<typeof signRequestBody>;
export const createViewBody = z.object({
  name: catalogName,
  location: location.nullish(),
  schema: anyObject,
  'view-version': anyObject,
  properties: properties.nullish(),
});
