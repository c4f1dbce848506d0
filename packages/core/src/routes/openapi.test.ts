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

  test('tells every success that a route may answer', () => {
    const { paths } = document as unknown as {
      paths: Record<string, Record<string, { responses: Record<string, { content?: object }> }>>;
    };
    for (const { method, path, answer, otherAnswers = {} } of ALL_ENDPOINTS) {
      const { responses } = paths[path]![method.toLowerCase()]!;
      expect(responses).toHaveProperty(String(answer.status));
      for (const status of Object.keys(otherAnswers))
        expect(responses[status]?.content).toHaveProperty(['application/json', 'schema']);
    }
  });

  test('stands under /api/v1 only', () => {
    for (const endpoint of ALL_ENDPOINTS) expect(endpoint.path).toMatch(/^\/api\/v1\//);
  });
});
