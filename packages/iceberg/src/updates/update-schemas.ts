import { isDeepStrictEqual } from 'node:util';
import type { IcebergSchema, PartitionField, PartitionSpec, SortField, SortOrder } from '../metadata/metadata.ts';
import { allFields, fieldNames } from '../values/field-types.ts';
import { type Draft, integer, object, type TableUpdate, UpdateRejectedError } from './draft.ts';
import { schemaError } from './schema-error.ts';

const nextId = (ids: readonly number[]): number => ids.reduce((max, id) => Math.max(max, id), -1) + 1;

/** `-1` refers to the one added in this commit. */
function resolve(id: number, lastAdded: number | null, what: string): number {
  if (id !== -1) return id;
  if (lastAdded === null) throw new UpdateRejectedError(`-1 means the ${what} added in this commit, but none was.`);
  return lastAdded;
}

export function addSchema(draft: Draft, update: TableUpdate): void {
  const schema = object(update, 'schema') as unknown as IcebergSchema;
  const error = schemaError(schema);
  if (error !== null) throw new UpdateRejectedError(error);
  checkDefaults(schema, draft.metadata['format-version']);
  const schemas = draft.metadata.schemas;
  const identifiers = schema['identifier-field-ids'];
  const body = { fields: schema.fields, identifiers: identifiers ?? [] };
  const existing = schemas.find((s) =>
    isDeepStrictEqual({ fields: s.fields, identifiers: s['identifier-field-ids'] ?? [] }, body),
  );
  const highest = Math.max(0, ...[...allFields(schema)].map((f) => f.id));
  const id = existing?.['schema-id'] ?? nextId(schemas.map((s) => s['schema-id']));
  const added: IcebergSchema = {
    type: 'struct',
    'schema-id': id,
    fields: schema.fields,
    ...(identifiers ? { 'identifier-field-ids': identifiers } : {}),
  };
  draft.metadata = {
    ...draft.metadata,
    'last-column-id': Math.max(draft.metadata['last-column-id'], highest),
    schemas: existing ? schemas : [...schemas, added],
  };
  draft.lastAddedSchema = id;
}

/** Format version 3 introduced values for rows that lack a column. */
function checkDefaults(schema: IcebergSchema, version: number): void {
  const defaulted = schema.fields.find((field) => field['initial-default'] != null || field['write-default'] != null);
  if (version < 3 && defaulted !== undefined) {
    throw new UpdateRejectedError(`The default value of column "${defaulted.name}" is not supported until v3.`);
  }
}

export function setCurrentSchema(draft: Draft, update: TableUpdate): void {
  const id = resolve(integer(update, 'schema-id'), draft.lastAddedSchema, 'schema');
  if (!draft.metadata.schemas.some((s) => s['schema-id'] === id))
    throw new UpdateRejectedError(`There is no schema ${id}.`);
  draft.metadata = { ...draft.metadata, 'current-schema-id': id };
}

export function removeSchemas(draft: Draft, update: TableUpdate): void {
  const ids = idList(update, 'schema-ids');
  if (ids.includes(draft.metadata['current-schema-id']))
    throw new UpdateRejectedError('The current schema cannot be removed.');
  const schemas = draft.metadata.schemas.filter((s) => !ids.includes(s['schema-id']));
  draft.metadata = { ...draft.metadata, schemas };
}

export function addSpec(draft: Draft, update: TableUpdate): void {
  const spec = object(update, 'spec') as unknown as PartitionSpec;
  if (!Array.isArray(spec.fields)) throw new UpdateRejectedError('"spec" must have a list of fields.');
  const specs = draft.metadata['partition-specs'];
  let last = draft.metadata['last-partition-id'];
  const fields = (spec.fields as readonly (Partial<PartitionField> | null)[]).map((field) => {
    const { name, transform, 'source-id': source, 'field-id': requestedId } = field ?? {};
    if (typeof name !== 'string' || typeof transform !== 'string' || !Number.isSafeInteger(source)) {
      throw new UpdateRejectedError('A partition field has name, transform and source-id.');
    }
    if (requestedId != null && !Number.isSafeInteger(requestedId))
      throw new UpdateRejectedError('The id of a partition field is an integer.');
    if (name === '') throw new UpdateRejectedError('A partition field needs a name.');
    checkSource(draft, transform, source!, `partition field: ${source}: ${name}`);
    const known = specs.flatMap((s) => s.fields).find((f) => f['source-id'] === source && f.transform === transform);
    const id = requestedId ?? known?.['field-id'] ?? last + 1;
    last = Math.max(last, id);
    return { name, transform, 'source-id': source!, 'field-id': id };
  });
  requireDistinct(fields);
  const existing = specs.find((s) => isDeepStrictEqual(s.fields, fields));
  // Older versions accepted it, and engines add it again to return to it.
  if (existing === undefined) requireOwnNames(draft, fields);
  const id = existing?.['spec-id'] ?? nextId(specs.map((s) => s['spec-id']));
  draft.metadata = {
    ...draft.metadata,
    'last-partition-id': last,
    'partition-specs': existing ? specs : [...specs, { 'spec-id': id, fields }],
  };
  draft.lastAddedSpec = id;
}

/** Engines can't load a table with a spec that has two fields of one name, or distinguish fields with one id. */
function requireDistinct(fields: readonly PartitionField[]): void {
  const names = new Set<string>();
  const byId = new Map<number, string>();
  for (const { name, 'field-id': id } of fields) {
    if (names.has(name)) throw new UpdateRejectedError(`Cannot use partition name more than once: ${name}.`);
    if (byId.has(id))
      throw new UpdateRejectedError(`The partition fields ${byId.get(id)} and ${name} have the same id.`);
    names.add(name);
    byId.set(id, name);
  }
}

/** A field may have the name of a column only if its values are those of the column: engines can't load other tables. */
function requireOwnNames({ metadata }: Draft, fields: readonly PartitionField[]): void {
  const schema = metadata.schemas.find((s) => s['schema-id'] === metadata['current-schema-id']);
  if (schema === undefined || fields.length === 0) return;
  const columns = new Map([...fieldNames(schema)].map(({ id, name }) => [name, id]));
  for (const { name, transform, 'source-id': source } of fields) {
    const column = columns.get(name);
    if (column === undefined) continue;
    // A void field is what version 1 of the format leaves of a removed one.
    if (transform !== 'identity' && transform !== 'void')
      throw new UpdateRejectedError(`Cannot create partition from name that exists in schema: ${name}.`);
    if (column !== source)
      throw new UpdateRejectedError(
        `Cannot create identity partition sourced from different field in schema: ${name}.`,
      );
  }
}

const TRANSFORM = /^(?:identity|year|month|day|hour|void|(?:bucket|truncate)\[[1-9]\d{0,8}\])$/;

function checkSource({ metadata }: Draft, transform: string, source: number, what: string): void {
  if (!TRANSFORM.test(transform)) throw new UpdateRejectedError(`Unknown transform "${transform.slice(0, 60)}".`);
  // The source column of a void field may have been dropped.
  if (transform === 'void') return;
  const schema = metadata.schemas.find((s) => s['schema-id'] === metadata['current-schema-id']);
  const known = schema === undefined || [...allFields(schema)].some((field) => field.id === source);
  if (!known) throw new UpdateRejectedError(`Cannot find source column for ${what}.`);
}

export function setDefaultSpec(draft: Draft, update: TableUpdate): void {
  const id = resolve(integer(update, 'spec-id'), draft.lastAddedSpec, 'partition spec');
  if (!draft.metadata['partition-specs'].some((s) => s['spec-id'] === id)) {
    throw new UpdateRejectedError(`Partition spec ${id} doesn't exist.`);
  }
  draft.metadata = { ...draft.metadata, 'default-spec-id': id };
}

export function removeSpecs(draft: Draft, update: TableUpdate): void {
  const ids = idList(update, 'spec-ids');
  if (ids.includes(draft.metadata['default-spec-id'])) {
    throw new UpdateRejectedError("The default partition spec can't be removed.");
  }
  const specs = draft.metadata['partition-specs'].filter((s) => !ids.includes(s['spec-id']));
  draft.metadata = { ...draft.metadata, 'partition-specs': specs };
}

export function addSortOrder(draft: Draft, update: TableUpdate): void {
  const order = object(update, 'sort-order') as unknown as SortOrder;
  if (!Array.isArray(order.fields)) throw new UpdateRejectedError('"sort-order" must have a list of fields.');
  for (const field of order.fields) checkSortField(draft, field);
  const orders = draft.metadata['sort-orders'];
  const existing = orders.find((o) => isDeepStrictEqual(o.fields, order.fields));
  // Order 0 is reserved for "unsorted".
  const nextOrderId = order.fields.length === 0 ? 0 : Math.max(1, nextId(orders.map((o) => o['order-id'])));
  const id = existing?.['order-id'] ?? nextOrderId;
  const added = { 'order-id': id, fields: order.fields };
  draft.metadata = { ...draft.metadata, 'sort-orders': existing ? orders : [...orders, added] };
  draft.lastAddedSortOrder = id;
}

/** Engines can't load a table with a sort order that they don't understand. */
function checkSortField(draft: Draft, field: Partial<SortField> | null): void {
  const { transform, 'source-id': source, direction, 'null-order': nulls } = field ?? {};
  if (typeof transform !== 'string' || !Number.isSafeInteger(source))
    throw new UpdateRejectedError('A sort field needs a transform and a source-id.');
  if (!/^(?:asc|desc)$/i.test(String(direction)) || !/^nulls-(?:first|last)$/i.test(String(nulls)))
    throw new UpdateRejectedError(
      'A sort field needs a direction ("asc" or "desc") and a null-order ("nulls-first" or "nulls-last").',
    );
  checkSource(draft, transform, source!, `sort field: ${source}`);
}

export function setDefaultSortOrder(draft: Draft, update: TableUpdate): void {
  const field = 'sort-order-id' in update ? 'sort-order-id' : 'order-id';
  const id = resolve(integer(update, field), draft.lastAddedSortOrder, 'sort order');
  if (!draft.metadata['sort-orders'].some((o) => o['order-id'] === id)) {
    throw new UpdateRejectedError(`Sort order ${id} doesn't exist.`);
  }
  draft.metadata = { ...draft.metadata, 'default-sort-order-id': id };
}

function idList(update: TableUpdate, field: string): number[] {
  const ids = update[field];
  if (!Array.isArray(ids)) throw new UpdateRejectedError(`"${field}" must be a list of ids.`);
  return ids as number[];
}
