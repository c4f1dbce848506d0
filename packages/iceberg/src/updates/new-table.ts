import type {
  IcebergField,
  IcebergSchema,
  IcebergStruct,
  IcebergType,
  PartitionSpec,
  SortOrder,
} from '../metadata/metadata.ts';
import { applyUpdates } from './apply-updates.ts';
import { type AppliedUpdates, UpdateRejectedError } from './draft.ts';

/** An engine's request for a new table. Its field ids are only its own numbering, so the service assigns new ones. */
export interface NewTableRequest {
  readonly uuid: string;
  readonly location: string;
  readonly schema: IcebergSchema;
  readonly spec?: PartitionSpec | undefined;
  readonly order?: SortOrder | undefined;
  readonly properties: Readonly<Record<string, string>>;
}

const FIRST_PARTITION_ID = 1000;
/** Properties that only the service writes; a request must not set them. */
const RESERVED = new Set([
  'uuid',
  'snapshot-count',
  'current-snapshot-summary',
  'current-snapshot-id',
  'current-snapshot-timestamp-ms',
  'current-schema',
  'default-partition-spec',
  'default-sort-order',
]);

/**
 * The metadata of a new, empty table, as the reference implementation creates it for such a request.
 *
 * @param now milliseconds since 1970
 */
export function newTableMetadata(request: NewTableRequest, now: number): AppliedUpdates {
  try {
    const { 'format-version': version = '2', ...properties } = request.properties;
    const reserved = Object.keys(properties).find((name) => RESERVED.has(name));
    if (reserved !== undefined) throw new UpdateRejectedError(`The property "${reserved}" is reserved.`);
    const ids = new Map<number, number>();
    const schema = reassignSchemaIds(request.schema, ids);
    const updates = [
      { action: 'assign-uuid', uuid: request.uuid },
      { action: 'upgrade-format-version', 'format-version': Number(version) },
      { action: 'add-schema', schema },
      { action: 'set-current-schema', 'schema-id': -1 },
      { action: 'add-spec', spec: reassignSpecIds(request.spec, ids) },
      { action: 'set-default-spec', 'spec-id': -1 },
      { action: 'add-sort-order', 'sort-order': reassignOrderIds(request.order, ids) },
      { action: 'set-default-sort-order', 'sort-order-id': -1 },
      { action: 'set-location', location: request.location },
      { action: 'set-properties', updates: { 'write.parquet.compression-codec': 'zstd', ...properties } },
    ];
    return applyUpdates(null, [{ type: 'assert-create' }], updates, now);
  } catch (error) {
    if (error instanceof UpdateRejectedError) return { ok: false, kind: error.kind, message: error.message };
    throw error;
  }
}

/** Assigns field ids starting at 1: first to the columns, then to their nested fields. */
function reassignSchemaIds(schema: IcebergSchema, ids: Map<number, number>): IcebergSchema {
  let last = 0;
  const next = (old: number): number => {
    last += 1;
    ids.set(old, last);
    return last;
  };
  const struct = ({ fields }: IcebergStruct): IcebergField[] => {
    const numbered = listed(fields, 'schema').map((field) => ({ ...field, id: next(field.id) }));
    return numbered.map((field) => ({ ...field, type: nested(field.type) }));
  };
  const nested = (type: IcebergType): IcebergType => {
    if (typeof type === 'string') return type;
    switch (type?.type) {
      case 'struct':
        return { ...type, fields: struct(type) };
      case 'list': {
        const id = next(type['element-id']);
        return { ...type, 'element-id': id, element: nested(type.element) };
      }
      case 'map': {
        const [key, value] = [next(type['key-id']), next(type['value-id'])];
        return { ...type, 'key-id': key, 'value-id': value, key: nested(type.key), value: nested(type.value) };
      }
      default:
        throw new UpdateRejectedError("The schema isn't an Iceberg schema.");
    }
  };
  const fields = struct(schema);
  const identifiers = schema['identifier-field-ids'] ?? undefined;
  if (identifiers !== undefined && !Array.isArray(identifiers))
    throw new UpdateRejectedError('"identifier-field-ids" must be a list of ids.');
  return {
    type: 'struct',
    'schema-id': 0,
    fields,
    ...(identifiers === undefined ? {} : { 'identifier-field-ids': identifiers.map((id) => renamed(ids, id)) }),
  };
}

/** The fields of an object in untrusted JSON. */
function listed<T>(fields: readonly T[], of: string): readonly T[] {
  if (!Array.isArray(fields)) throw new UpdateRejectedError(`"${of}" must have a list of fields.`);
  if (fields.some((field) => typeof field !== 'object' || field === null))
    throw new UpdateRejectedError(`A field of "${of}" must be an object.`);
  return fields;
}

function renamed(ids: ReadonlyMap<number, number>, id: number): number {
  const newId = ids.get(id);
  if (newId === undefined) throw new UpdateRejectedError(`No column has the id ${String(id)}.`);
  return newId;
}

function reassignSpecIds(spec: PartitionSpec | undefined, ids: ReadonlyMap<number, number>): unknown {
  const fields = (spec === undefined ? [] : listed(spec.fields, 'spec')).map((field, i) => ({
    ...field,
    'source-id': renamed(ids, field['source-id']),
    'field-id': FIRST_PARTITION_ID + i,
  }));
  return { 'spec-id': 0, fields };
}

function reassignOrderIds(order: SortOrder | undefined, ids: ReadonlyMap<number, number>): unknown {
  const fields = (order === undefined ? [] : listed(order.fields, 'sort-order')).map((field) => ({
    ...field,
    'source-id': renamed(ids, field['source-id']),
  }));
  return { 'order-id': fields.length === 0 ? 0 : 1, fields };
}
