import { ALL_ENDPOINTS, openApiDocument } from './index.ts';

type Json = Record<string, unknown>;

function references(node: unknown, found: string[] = []): string[] {
  if (Array.isArray(node)) for (const item of node) references(item, found);
  else if (node !== null && typeof node === 'object') {
    const { $ref } = node as { $ref?: unknown };
    if (typeof $ref === 'string') found.push($ref);
    for (const value of Object.values(node)) references(value, found);
  }
  return found;
}

describe('openApiDocument', () => {
  const document = openApiDocument('1.2.3') as {
    paths: Record<string, Record<string, { operationId: string; parameters: { name: string; in: string }[] }>>;
    components: { schemas: Json };
  };

  test('has one operation for each endpoint, with unique ids', () => {
    const ids = Object.values(document.paths).flatMap((path) => Object.values(path).map((op) => op.operationId));
    expect(ids.sort()).toEqual(ALL_ENDPOINTS.map((endpoint) => endpoint.id).sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('resolves every reference', () => {
    for (const reference of references(document)) {
      expect(document.components.schemas).toHaveProperty([reference.replace('#/components/schemas/', '')]);
    }
  });

  test('names every path parameter', () => {
    for (const endpoint of ALL_ENDPOINTS) {
      const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(Object.keys(endpoint.params?.shape ?? {}).sort()).toEqual(inPath.sort());
    }
  });

  test('lists every success response of a route', () => {
    const { paths } = document as unknown as {
      paths: Record<string, Record<string, { responses: Record<string, { content?: object }> }>>;
    };
    for (const { method, path, response, otherResponses = {} } of ALL_ENDPOINTS) {
      const { responses } = paths[path]![method.toLowerCase()]!;
      expect(responses).toHaveProperty(String(response.status));
      for (const status of Object.keys(otherResponses))
        expect(responses[status]?.content).toHaveProperty(['application/json', 'schema']);
    }
  });

  test('describes parameters and bodies as far as JSON Schema can express them', () => {
    const { paths } = document as unknown as {
      paths: Record<string, Record<string, { parameters: { name: string; schema: Json }[]; requestBody?: Json }>>;
    };
    const parameter = (path: string, name: string) =>
      paths[`/api/v1${path}`]!['get']!.parameters.find((one) => one.name === name)!.schema;
    expect(parameter('/groups', 'limit')).toEqual({
      description: expect.any(String),
      type: 'integer',
      minimum: 1,
      maximum: 200,
    });
    expect(parameter('/audit-events', 'since')).toMatchObject({ type: 'string', format: 'date-time' });
    expect(parameter('/access/who', 'action')['enum']).toContain('READ_TABLE');
    const required = Object.values(document.paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId, parameters }) =>
        (parameters as unknown as { name: string; in: string; required: boolean }[])
          .filter((one) => one.required && one.in === 'query')
          .map(({ name }) => `${operationId} ${name}`),
      ),
    );
    expect(required.sort()).toEqual([
      'access.who action',
      'events.stream environment',
      'lineage.get table',
      'queryTabs.delete version',
      'retention.preview days',
      'runs.timeline since',
      'search.find q',
    ]);
    const trigger = ['schedule', 'api', 'manual'];
    expect(parameter('/environments/{env}/runs', 'trigger')['anyOf']).toEqual([
      { enum: trigger },
      { type: 'array', items: { enum: trigger } },
    ]);
    const body = (path: string, method: string) =>
      paths[`/api/v1${path}`]![method]!.requestBody as { content: { 'application/json': { schema: Json } } };
    const schema = (path: string, method: string) => body(path, method).content['application/json'].schema;
    expect(schema('/principals/{name}', 'patch')).toMatchObject({ minProperties: 1 });
    // When creating, null means the same as omitting an optional field.
    expect(schema('/principals/{name}/tokens', 'post')).toMatchObject({
      properties: { expires_at: { anyOf: [{ type: 'string' }, { type: 'null' }] }, name: { type: 'string' } },
    });
    expect(schema('/environments/{env}/namespaces/{path}/tables', 'post')).toMatchObject({
      properties: {
        columns: {
          anyOf: [
            { items: { properties: { nullable: { default: true, anyOf: [{ type: 'boolean' }, { type: 'null' }] } } } },
            { type: 'null' },
          ],
        },
      },
    });
    expect(schema('/environments', 'post')).toMatchObject({
      properties: { protected: { default: false, anyOf: [{ type: 'boolean' }, { type: 'null' }] } },
    });
  });

  test('fields and parameters are named in snake_case, and times have a time zone (HTTP-2)', () => {
    const names = Object.values(document.paths).flatMap((path) =>
      Object.values(path).flatMap(({ parameters }) => parameters.map(({ name }) => name)),
    );
    const times: Json[] = [];
    const visit = (node: unknown): void => {
      if (node === null || typeof node !== 'object') return;
      const { properties, format } = node as { properties?: Json; format?: unknown };
      if (properties !== undefined && !Array.isArray(properties)) names.push(...Object.keys(properties));
      if (format === 'date-time') times.push(node as Json);
      Object.values(node).forEach(visit);
    };
    visit(document);
    const headers = ['Idempotency-Key', 'Svc-Break-Glass'];
    expect(names.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name) && !headers.includes(name))).toEqual([]);
    expect(times.length).toBeGreaterThan(20);
  });

  test('writes, queries, deploys, runs and tasks store an error of code, detail and remedy, or null (RUN-7)', () => {
    const { schemas } = document.components as { schemas: Record<string, { properties: { error: object } }> };
    expect(schemas['Failure']).toMatchObject({
      required: ['code', 'detail', 'remedy'],
      properties: { code: { type: 'string' }, detail: { type: 'string' } },
    });
    for (const name of ['Write', 'Query', 'Deploy', 'Run', 'RunTask'])
      expect([name, schemas[name]?.properties.error]).toEqual([
        name,
        { anyOf: [{ $ref: '#/components/schemas/Failure' }, { type: 'null' }] },
      ]);
  });

  test('all paths are below /api/v1', () => {
    for (const endpoint of ALL_ENDPOINTS) expect(endpoint.path).toMatch(/^\/api\/v1\//);
  });
});
