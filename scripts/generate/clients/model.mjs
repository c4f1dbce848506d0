// The generated methods of a client, as the contract declares them: see ClientMethod in packages/core/src/contract.
import { isStreamBody } from '../../../packages/core/src/contract/index.ts';
import { endpoints, RESOURCES } from '../../../packages/core/src/routes/index.ts';
import { fieldType } from './field-type.mjs';

/** The resources with their methods in a language, `typescript` or `python`. */
export function resourcesIn(language) {
  const resources = new Map();
  for (const [group, members] of Object.entries(endpoints)) {
    for (const [key, endpoint] of Object.entries(members)) {
      const { client } = endpoint;
      if (client === undefined || client[language] === false) continue;
      const [resource, name] = (client.name ?? endpoint.id).split('.');
      if (!(resource in RESOURCES)) throw new Error(`${endpoint.id}: describe the resource ${resource} in RESOURCES.`);
      const method = methodOf(`${group}.${key}`, endpoint, { ...client, ...client[language] }, resource, name);
      resources.set(resource, [...(resources.get(resource) ?? []), method]);
    }
  }
  return [...resources].map(([name, methods]) => ({ name, about: RESOURCES[name], methods }));
}

function methodOf(route, endpoint, client, resource, name) {
  const fields = fieldsOf(endpoint, client);
  const isPositional = ({ wire }) => client.positional?.includes(wire);
  const named = fields.filter((field) => !isPositional(field));
  const positional = (client.positional ?? []).map((wire) => {
    const found = fields.find((field) => field.wire === wire);
    if (found === undefined) throw new Error(`${endpoint.id} has no field ${wire}.`);
    return found;
  });
  if (new Set(fields.map((field) => field.from)).size > 1)
    throw new Error(`${endpoint.id} has fields in query and body: write its method manually.`);
  return {
    ...client,
    route,
    endpoint,
    resource,
    name,
    path: pathOf(endpoint, client.path ?? {}),
    positional,
    named,
    lists: listsOf(endpoint, client, name),
    record: recordOf(endpoint.response),
    waits: fields.some(({ wire }) => wire === 'wait') && name === 'get',
    notes: [endpoint.summary, client.notes].filter(Boolean).map((text) => text.replace(/\.?$/, '.')),
  };
}

/** The parameters of the path in order. Namespace and name of a table are one parameter. */
function pathOf({ path }, names) {
  const found = [...path.matchAll(/\{(\w+)\}/g)].map(([, wire]) => wire);
  const ofTable = path.includes('/namespaces/{path}/tables/{name}');
  const shown = ofTable
    ? found.flatMap((wire) => (wire === 'path' ? ['table'] : wire === 'name' ? [] : [wire]))
    : found;
  return shown.map((wire) => ({ wire, name: names[wire] ?? wire }));
}

function fieldsOf(endpoint, client) {
  const body = isStreamBody(endpoint.body) ? undefined : endpoint.body;
  const left = new Set(client.without);
  // A list that is complete without them needs no pages.
  if (endpoint.response.paged && !hasPages(endpoint)) left.add('limit').add('cursor');
  return Object.entries({ query: endpoint.query, body }).flatMap(([from, schema]) =>
    Object.entries(schema?.shape ?? {})
      .filter(([wire, of]) => !left.has(wire) && !('not' in of.toJSONSchema({ io: 'input', unrepresentable: 'any' })))
      .map(([wire, of]) => fieldOf(wire, of, from, client)),
  );
}

function fieldOf(wire, schema, from, { fields = {} }) {
  const { success, data } = schema.safeParse(undefined);
  const { description } = schema.meta() ?? {};
  return {
    wire,
    name: fields[wire] ?? wire,
    from,
    type: fieldType(schema),
    required: !success,
    fallback: data,
    description,
  };
}

/** Whether a list has pages unless the caller sets a limit. */
const hasPages = ({ query }) => query?.shape.limit?.safeParse(undefined).data !== undefined;

function listsOf(endpoint, client, name) {
  if (client.lists) return client.lists;
  if (!hasPages(endpoint) || !endpoint.response.list) return undefined;
  if (name !== 'list') throw new Error(`${endpoint.id}: name the forms of the list.`);
  return { first: 'list', page: 'listPage', iterate: 'iter' };
}

/** The record of a response: its name in the contract, and whether the response is a list. */
function recordOf({ schema }) {
  if (schema === undefined) return undefined;
  const many = schema.def.type === 'array';
  return { name: (many ? schema.def.element : schema).meta()?.id, many };
}

export const paged = new Set(['limit', 'cursor']);

/** `rowFilters` in parts: row, filters. */
export const splitName = (name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ');
export const pascalCase = (name) => name[0].toUpperCase() + name.slice(1);
export const snakeCase = (name) => splitName(name).join('_');
export const camelCase = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** The singular of a resource: `package index` of packageIndexes. */
export const singular = (resource) =>
  splitName(resource).join(' ').replace(/ies$/, 'y').replace(/xes$/, 'x').replace(/s$/, '');

/** The class of a resource. Maintenance is also the name of its record. */
export const classOf = (resource) => (resource === 'maintenance' ? 'Maintenances' : pascalCase(resource));
