// The OpenAPI document and the list of routes, both from the route table. The service replaces the version in the
// document with its own.
import { isStreamBody } from '../../packages/core/src/contract/index.ts';
import { ALL_ENDPOINTS, needText, openApiDocument } from '../../packages/core/src/routes/index.ts';
import { page, table } from './markdown/table.mjs';

function features() {
  const groups = new Map();
  for (const endpoint of ALL_ENDPOINTS) {
    const name = endpoint.id.split('.')[0];
    groups.set(name, [...(groups.get(name) ?? []), endpoint]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

function inputs({ query, body }) {
  const names = (schema) => Object.keys(schema?.shape ?? {}).map((name) => `\`${name}\``);
  const asQuery = names(query);
  const asBody = isStreamBody(body) ? body.stream.map((type) => `\`${type}\``) : names(body);
  return [
    asQuery.length > 0 ? `query: ${asQuery.join(', ')}` : '',
    asBody.length > 0 ? `body: ${asBody.join(', ')}` : '',
  ]
    .filter(Boolean)
    .join('; ');
}

function section([name, endpoints]) {
  const rows = endpoints.map((endpoint) => [
    `\`${endpoint.method} ${endpoint.path}\``,
    endpoint.summary,
    inputs(endpoint),
    needText(endpoint.needs),
  ]);
  return `## ${name}\n\n${table(['Route', 'Operation', 'Input', 'Access'], rows)}`;
}

export default [
  {
    file: 'docs/reference/openapi.json',
    generate: () => `${JSON.stringify(openApiDocument('0.0.0'), null, 2)}\n`,
  },
  {
    file: 'docs/reference/routes.md',
    generate: () =>
      page(
        'Routes',
        'Every REST route of this version. The OpenAPI document describes request bodies and responses: `/docs/api` on a running service, or [openapi.json](openapi.json). See [requests and responses](../guide/requests.md) for what applies to all routes: credentials, errors, paging and idempotency.',
        ...features().map(section),
      ),
  },
];
