import * as z from 'zod';
import { type AnyEndpoint, isStreamBody, type Need } from '../contract/index.ts';
import { ERRORS, problemDetailsSchema } from '../errors/index.ts';
import { ALL_ENDPOINTS } from './endpoints.ts';

type Json = Record<string, unknown>;

function orElse({ orOwner, orSelf }: { orOwner?: boolean; orSelf?: string }): string {
  if (orOwner) return ', or ownership';
  return orSelf === undefined ? '' : ', or being that principal; never with a task token';
}

/** The permissions of a route as one sentence. */
export function needText(requirement: Need): string {
  switch (requirement.kind) {
    case 'public':
      return 'No credential required.';
    case 'signed-in':
      return requirement.taskTokens ? 'Requires any credential.' : 'Requires any credential except a task token.';
    case 'action':
      return `Requires ${requirement.action} on the ${requirement.on.toLowerCase()}${orElse(requirement)}.`;
    case 'decided':
      return `Requires: ${requirement.rule}.`;
  }
}

function schemas(io: 'input' | 'output') {
  const components: Record<string, Json> = {};
  const convert = (schema: z.ZodType): Json => {
    const {
      $schema: _,
      $defs,
      ...rest
    } = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io,
      unrepresentable: 'any',
    }) as Json & { $defs?: Record<string, Json> };
    for (const [name, body] of Object.entries($defs ?? {})) components[name] = stripIds(body);
    const id = (rest as { id?: string }).id;
    if (id === undefined) return rewriteRefs(rest);
    components[id] = stripIds(rest);
    return { $ref: `#/components/schemas/${id}` };
  };
  return { components, convert };
}

const rewriteRefs = (node: unknown): Json =>
  JSON.parse(JSON.stringify(node).replaceAll('"#/$defs/', '"#/components/schemas/'));
const stripIds = (node: Json): Json => {
  const { id: _, ...rest } = rewriteRefs(node);
  return rest;
};

function parameters(endpoint: AnyEndpoint, convert: (s: z.ZodType) => Json): Json[] {
  const of = (shape: z.ZodObject | undefined, where: 'path' | 'query') =>
    Object.entries((shape?.shape ?? {}) as Record<string, z.ZodType>).map(([name, schema]) => ({
      name,
      in: where,
      required: where === 'path' || !schema.safeParse(undefined).success,
      schema: convert(schema),
    }));
  const idempotency = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  };
  return [
    ...of(endpoint.params, 'path'),
    ...of(endpoint.query, 'query'),
    ...(endpoint.method === 'POST' && !endpoint.noIdempotency ? [idempotency] : []),
  ];
}

function success(endpoint: AnyEndpoint, convert: (s: z.ZodType) => Json): Json {
  const { response, otherResponses = {} } = endpoint;
  const others = Object.entries(otherResponses).map(([status, schema]): [string, Json] => [
    status,
    { description: endpoint.summary, content: { 'application/json': { schema: convert(schema) } } },
  ]);
  if (response.status === 204) return { ...Object.fromEntries(others), 204: { description: 'Done' } };
  const content: Json = {};
  if ('schema' in response && response.schema) content['application/json'] = { schema: convert(response.schema) };
  if ('stream' in response) for (const type of response.stream) content[type] = { schema: { type: 'string' } };
  const paged = 'paged' in response && response.paged;
  const headers = paged
    ? {
        headers: {
          'X-Next-Cursor': {
            description: 'Cursor of the next page; absent on the last page',
            schema: { type: 'string' },
          },
        },
      }
    : {};
  return { ...Object.fromEntries(others), [response.status]: { description: endpoint.summary, content, ...headers } };
}

function failures(endpoint: AnyEndpoint): Json {
  const statuses = new Map<number, string[]>();
  const add = (code: keyof typeof ERRORS) => {
    const { status } = ERRORS[code];
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  };
  if (endpoint.needs.kind !== 'public') add('not-signed-in');
  const { needs } = endpoint;
  const refusesTasks = needs.kind === 'signed-in' && !needs.taskTokens;
  if (needs.kind === 'action' || needs.kind === 'decided' || refusesTasks) add('forbidden');
  if (endpoint.body || endpoint.query || endpoint.params) add('invalid-request');
  if (endpoint.params && 'env' in endpoint.params.shape) add('environment-deleted');
  if (endpoint.body && !isStreamBody(endpoint.body)) add('malformed-json');
  if (endpoint.body) add('body-too-large');
  for (const code of endpoint.errors ?? []) add(code);
  const body = { 'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDetails' } } };
  const responses: [string, Json][] = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [String(status), { description: codes.join(', '), content: body }]);
  // Responses that any route may return: the request couldn't be read, was throttled, or the service is unavailable.
  const any = { description: 'Any other error, such as 429 or 503', content: body };
  return Object.fromEntries([...responses, ['default', any]]);
}

/** A new object has no value to clear, so null means the same as omitting a field, also inside lists. */
function orNull(schema: Json): Json {
  const {
    properties,
    items,
    required = [],
  } = schema as {
    properties?: Record<string, Json>;
    items?: Json;
    required?: string[];
  };
  if (items !== undefined) return { ...schema, items: orNull(items) };
  if (properties === undefined) return schema;
  const converted = Object.entries(properties).map(([name, of]) => {
    const inside = orNull(of);
    return [name, required.includes(name) ? inside : nullable(inside)];
  });
  return { ...schema, properties: Object.fromEntries(converted) };
}

function nullable({ default: defaultValue, description, ...of }: Json): Json {
  return {
    ...(description === undefined ? {} : { description }),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    ...(acceptsNull(of) ? of : { anyOf: [of, { type: 'null' }] }),
  };
}

const acceptsNull = ({ type, anyOf }: Json & { anyOf?: Json[] }): boolean =>
  type === 'null' || anyOf?.some(acceptsNull) === true;

function requestBody(endpoint: AnyEndpoint, convert: (s: z.ZodType) => Json): Json {
  const { body, method } = endpoint;
  if (body === undefined) return {};
  const schemaOf = (of: z.ZodType) => (method === 'POST' ? orNull(convert(of)) : convert(of));
  const content = isStreamBody(body)
    ? Object.fromEntries(body.stream.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))
    : { 'application/json': { schema: schemaOf(body) } };
  return { requestBody: { required: !endpoint.bodyOptional, content } };
}

/** The OpenAPI 3.1 document of the route table. `version` is the version of svc. */
export function openApiDocument(version: string): Json {
  const input = schemas('input');
  const output = schemas('output');
  output.convert(problemDetailsSchema);
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of ALL_ENDPOINTS) {
    const operation = {
      operationId: endpoint.id,
      tags: [endpoint.id.split('.')[0]],
      summary: endpoint.summary,
      description: needText(endpoint.needs),
      ...(endpoint.needs.kind === 'public' ? { security: [] } : {}),
      parameters: parameters(endpoint, input.convert),
      ...requestBody(endpoint, input.convert),
      responses: { ...success(endpoint, output.convert), ...failures(endpoint) },
    };
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'svc', version, description: 'The REST interface of the svc data platform.' },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { ...input.components, ...output.components },
    },
  };
}
