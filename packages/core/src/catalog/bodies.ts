import * as z from 'zod';
import { identifier, namespaceLevels } from './names.ts';

/** Request bodies of the protocol; fields it does not know are ignored. */
const properties = z.record(z.string(), z.string());
const anyObject = z.record(z.string(), z.unknown());

export const createNamespaceBody = z.object({ namespace: namespaceLevels, properties: properties.optional() });
export const updatePropertiesBody = z.object({
  removals: z.array(z.string()).nullish(),
  updates: properties.nullish(),
});
export const createTableBody = z.object({
  name: z.string(),
  location: z.string().nullish(),
  schema: anyObject,
  'partition-spec': anyObject.nullish(),
  'write-order': anyObject.nullish(),
  'stage-create': z.boolean().nullish(),
  properties: properties.nullish(),
});
export const registerBody = z.object({
  name: z.string(),
  'metadata-location': z.string(),
  overwrite: z.boolean().nullish(),
});

const requirement = z.object({ type: z.string() }).loose();
const update = z.object({ action: z.string() }).loose();
export const commitBody = z.object({
  identifier: identifier.nullish(),
  requirements: z.array(requirement).nullish(),
  updates: z.array(update),
});
export type CommitBody = z.infer<typeof commitBody>;
export const commitTransactionBody = z.object({
  'table-changes': z.array(commitBody.extend({ identifier })),
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
export const createViewBody = z.object({
  name: z.string(),
  location: z.string().nullish(),
  schema: anyObject,
  'view-version': anyObject,
  properties: properties.nullish(),
});
