import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { type AnyEndpoint, isStreamBody } from '../contract/index.ts';
import { endpoints } from './index.ts';

// Checks the vectors that every client is tested against (vectors/README.md) against the contract.
const folder = new URL('../../../../vectors/', import.meta.url);
const vectors = <T>(name: string) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as T;

interface Call {
  name: string;
  route: string;
  request: { method: string; path: string; query?: Record<string, string>; body?: unknown; upload?: string };
  answer: {
    status: number;
    record?: string;
    records?: string[];
    lines?: boolean;
    messages?: boolean;
    bytes?: string;
    type?: string;
  };
  anonymous?: boolean;
}
const calls = vectors<Call[]>('calls');
const records = vectors<Record<string, unknown>>('records');

const recordNames = endpoints as unknown as Record<string, Record<string, AnyEndpoint>>;
const routes = Object.entries(recordNames).flatMap(([group, all]) => Object.keys(all).map((key) => `${group}.${key}`));

function endpointOf(route: string): AnyEndpoint {
  const [group = '', key = ''] = route.split('.');
  const found = recordNames[group]?.[key];
  if (found === undefined) throw new Error(`There is no route ${route}.`);
  return found;
}

/** The parameters in a path; null if the path doesn't match the form. */
function paramsIn(form: string, path: string): Record<string, string> | null {
  const pattern = form.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const found = new RegExp(`^${pattern}$`).exec(path);
  if (found === null) return null;
  return Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]));
}

const issues = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues ?? [];

describe.each(calls.map((call) => [call.name, call] as const))('%s', (_, { route, request, answer, anonymous }) => {
  test('the contract accepts the request', () => {
    const { method, path, params, query, body, needs } = endpointOf(route);
    expect(anonymous ?? false).toBe(needs.kind === 'public');
    expect(request.method).toBe(method);
    const found = paramsIn(path, request.path);
    expect(found).not.toBeNull();
    if (params) expect(issues(params, found)).toEqual([]);
    if (query) expect(issues(query, request.query ?? {})).toEqual([]);
    else expect(request.query).toBeUndefined();
    if (isStreamBody(body)) expect(request.upload).toBeDefined();
    else if (body && request.body !== undefined) expect(issues(body, request.body)).toEqual([]);
    else expect(request.body).toBeUndefined();
  });

  test('the answer matches the contract', () => {
    const { response: expected, otherResponses = {} } = endpointOf(route);
    const schemas = [
      expected.status === answer.status && 'schema' in expected ? expected.schema : undefined,
      otherResponses[answer.status],
    ];
    if (answer.bytes !== undefined) {
      expect('stream' in expected ? expected.stream : []).toContain(answer.type);
      return;
    }
    const recordNames = answer.records ?? [];
    const value = answer.record === undefined ? recordNames.map((name) => records[name]) : records[answer.record];
    if (answer.lines || answer.messages || (answer.record === undefined && answer.records === undefined)) {
      expect([expected.status, ...Object.keys(otherResponses).map(Number)]).toContain(answer.status);
      return;
    }
    const results = schemas.filter((schema) => schema !== undefined).map((schema) => issues(schema, value));
    expect(results).toContainEqual([]);
  });
});

test('every route has a vector', () => {
  const covered = new Set(calls.map(({ route }) => route));
  expect(routes.filter((route) => !covered.has(route))).toEqual([]);
});
