import { ALL_ENDPOINTS, openApiDocument } from '@svc/core/routes';

/** JSON Schema as the document contains it. */
export interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

/** An operation of the OpenAPI document. */
export interface Operation {
  /** Its `operationId`. */
  id: string;
  method: string;
  path: string;
  parameters: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }[];
  /** By content type. */
  bodies: Record<string, Schema>;
  /** Null for operations of the catalog protocol, whose document isn't ours. */
  statuses: Set<number> | null;
}

interface Written {
  operationId: string;
  parameters?: Operation['parameters'];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
}

const METHODS = new Set(['get', 'put', 'post', 'patch', 'delete']);

/** Every operation in the service's document. */
export function operations(): Operation[] {
  const { paths } = openApiDocument('fuzz') as unknown as { paths: Record<string, Record<string, Written>> };
  const all = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod)
      .filter(([method]) => METHODS.has(method))
      .map(([method, { operationId, parameters = [], requestBody, responses }]) => ({
        id: operationId,
        method: method.toUpperCase(),
        path,
        parameters,
        bodies: Object.fromEntries(
          Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema ?? {}]),
        ),
        statuses: new Set(
          Object.keys(responses)
            .filter((s) => s !== 'default')
            .map(Number),
        ),
      })),
  );
  if (all.length < ALL_ENDPOINTS.length) throw new Error('the document lacks routes');
  return all;
}
