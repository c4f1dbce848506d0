// The generated classes of the asynchronous Python client, from which the blocking one is derived.
import { bracketed, fits, hugged, wrap } from './layout.mjs';
import { classOf, paged, resourcesIn, singular, snakeCase } from './model.mjs';
import { importsOf } from './python-imports.mjs';
import { anyOf, declared, sent } from './python-types.mjs';

const FOLDER = 'packages/sdk-python/src/svc/_aio/generated';
const HEADER = '# Generated from the contract by "npm run generate". Do not edit.';
const FORMS = {
  page: 'Returns one page.',
  first: 'Returns the first page.',
  all: 'Returns all of them.',
  iterate: 'Iterates over all pages.',
};
/** Names of records that differ from the contract's. */
const RECORDS = { TableRetention: 'Retention', CreatedTable: 'Table' };
const recordName = ({ record }) => RECORDS[record.name] ?? record.name;

/** Prefixes of paths that functions of svc._requests write. */
const PREFIXES = [
  ['/api/v1/environments/{env}/namespaces/{path}/tables/{name}', (at) => `{table_path(${at('env')}, ${at('table')})}`],
  ['/api/v1/environments/{env}/namespaces/{path}', (at) => `{namespace_path(${at('env')}, ${at('path')})}`],
  ['/api/v1/environments/{env}', (at) => `{environment_path(${at('env')})}`],
];

function python(text) {
  return text.replace(
    /`([^`]+)`/g,
    (_, code) => `\`\`${{ null: 'None', true: 'True', false: 'False' }[code] ?? code}\`\``,
  );
}

function docstring(indent, sentences) {
  const pad = ' '.repeat(indent);
  const text = python(sentences.join(' '));
  if (fits(`${pad}"""${text}"""`)) return [`${pad}"""${text}"""`];
  // The first sentence, then the others.
  const [summary, ...rest] = text.split(/(?<=\.) /);
  const lines = [`"""${wrap(summary, indent + 3).join(`\n${pad}`)}`];
  if (rest.length > 0) lines.push('', ...wrap(rest.join(' '), indent));
  return [...lines, '"""'].map((line) => (line === '' ? '' : pad + line));
}

/** A parameter of the path. Python has a function `id`, so the id of a run is `run_id`. */
function pathName({ wire, name }, resource) {
  if (name === 'id') return `${singular(resource).split(' ').at(-1)}_id`;
  return name === 'env' && wire === 'env' ? 'environment' : snakeCase(name);
}

function pathText({ endpoint, path, resource }) {
  const at = (wire) =>
    pathName(
      path.find((one) => one.wire === wire),
      resource,
    );
  const [prefix, render] = PREFIXES.find(([text]) => endpoint.path.startsWith(text)) ?? ['', () => ''];
  const rest = endpoint.path.slice(prefix.length).replace(/\{(\w+)\}/g, (_, wire) => `{segment(${at(wire)})}`);
  return prefix === '' && rest === endpoint.path
    ? `"${rest}"`
    : `f"${render(at)}${rest}"`.replace(/^f"\{([^{}]+)\}"$/, '$1');
}

/** Whether the method takes its fields as `**changes`: a change of optional fields. */
const takesChanges = ({ endpoint, named }) => endpoint.method === 'PATCH' && named.every((field) => !field.required);

/** Variables of the generated code. */
const VARIABLES = ['where', 'query', 'body'];

function parametersOf(method, without) {
  const { path, resource, positional, breakGlass, defaults } = method;
  const named = method.named.filter(({ wire }) => !without.includes(wire));
  const taken = [...path, ...positional, ...named].find(({ name }) => VARIABLES.includes(name));
  if (taken)
    throw new Error(`${method.endpoint.id}: declare another name for ${taken.name}, a variable of the method.`);
  const before = [
    'self',
    ...path.map((one) => `${pathName(one, resource)}: str`),
    ...positional.map((field) => declared(field, defaults)),
  ];
  const changes = takesChanges(method);
  const keywords = changes ? [] : named.map((field) => declared(field, defaults));
  if (breakGlass) keywords.push('break_glass: str | None = None');
  const after = changes ? [`**changes: ${anyOf(named)}`] : [];
  return [...before, ...(keywords.length > 0 ? ['*', ...keywords] : []), ...after];
}

const dictionary = (indent, name, fields, defaults, rest = []) => {
  const items = [...fields.map((field) => `"${field.wire}": ${sent(field, defaults)}`), ...rest];
  return bracketed(indent, 4, `${name} = {`, items, '}');
};

/** Statements that check and prepare the request, and the names of what it takes. */
function preparation(method, without = []) {
  const { exactlyOne = [], defaults, breakGlass, named, positional, endpoint } = method;
  const fields = [...positional, ...named.filter(({ wire }) => !without.includes(wire))];
  const lines = exactlyOne.map((group) => `        exactly_one(${group.map((name) => `${name}=${name}`).join(', ')})`);
  const path = pathText(method);
  const args = [];
  if (path.startsWith('"')) args.push(path);
  else {
    lines.push(`        where = ${path}`);
    args.push('where');
  }
  if (takesChanges(method)) {
    const article = /^[aeiou]/.test(method.resource) ? 'an' : 'a';
    const names = named.map(({ wire }) => `"${wire}"`);
    lines.unshift(...hugged(8, 'known(', [`"${article} ${singular(method.resource)}"`, 'changes', ...names], ')'));
    args.push('changes');
  } else if (fields.length > 0) {
    const from = fields[0].from;
    lines.push(...(from === 'query' ? dictionary(8, 'query', fields, defaults) : bodyLines(fields, defaults)));
    args.push(from);
  } else if (endpoint.method === 'POST' || endpoint.method === 'PUT') args.push('None');
  if (breakGlass) args.push('headers=glass(break_glass)');
  return { lines, args };
}

/** A field that is None is left out of the body, unless None is a value that the caller has to choose. */
function bodyLines(fields, defaults) {
  const chosen = fields.filter((field) => field.required && field.type.nullable);
  const others = fields.filter((field) => !chosen.includes(field));
  if (fields.every((field) => field.required)) return dictionary(8, 'body', fields, defaults);
  const items = others.map((field) => `${field.wire}=${sent(field, defaults)}`);
  if (chosen.length === 0) return hugged(8, 'body = given(', items, ')');
  return dictionary(8, 'body', chosen, defaults, [`**given(${items.join(', ')})`]);
}

function signature(prefix, parameters, result) {
  return hugged(4, `${prefix}(`, parameters, `) -> ${result}:`);
}

const listOf = (method, item) => `${method.hidesList ? 'builtins.' : ''}list[${item}]`;

function plainMethod(method) {
  const { name, record, endpoint, waits, notes } = method;
  const verb = endpoint.noIdempotency ? 'post_once' : endpoint.method.toLowerCase();
  const { lines, args } = preparation(method);
  const call = `await self._transport.${verb}(${args.join(', ')})`;
  const type = record === undefined ? 'None' : record.many ? listOf(method, recordName(method)) : recordName(method);
  const extra = waits ? ['With `wait` (0 to 60 seconds), returns as soon as it has finished.'] : [];
  return [
    ...signature(`async def ${snakeCase(name)}`, parametersOf(method, []), type),
    ...docstring(8, [...notes, ...extra]),
    ...lines,
    `        ${resultOf(method, call)}`,
  ];
}

function resultOf({ record, ...method }, call) {
  if (record === undefined) return call;
  const name = recordName({ record, ...method });
  return record.many
    ? `return [read(${name}, item) for item in ${call.replace('_transport.get(', '_transport.items(')}]`
    : `return read(${name}, ${call})`;
}

/** Parameters that a form of a list doesn't take. */
const WITHOUT = { page: [], first: [], all: [...paged], iterate: ['cursor'] };

function listMethod(method, form) {
  const { lists, notes } = method;
  const name = snakeCase(lists[form]);
  const parameters = parametersOf(method, WITHOUT[form]);
  const item = recordName(method);
  const head = (prefix, result) => [
    ...signature(`${prefix} ${name}`, parameters, result),
    ...docstring(8, [...notes, FORMS[form]]),
  ];
  if (form === 'first') return [...head('async def', listOf(method, item)), ...firstPage(method)];
  const { lines, args } = preparation(method, WITHOUT[form]);
  const query = args.length > 1 ? args : [...args, '{}'];
  const call = `(${[...query, item].join(', ')})`;
  if (form === 'iterate')
    return [...head('def', `AsyncIterator[${item}]`), ...lines, `        return self._iterate${call}`];
  const [result, helper] = form === 'page' ? [`Page[${item}]`, '_page'] : [listOf(method, item), '_all'];
  return [...head('async def', result), ...lines, `        return await self.${helper}${call}`];
}

function firstPage({ lists, path, resource, positional, named }) {
  const keywords = named.map(({ name }) => `${snakeCase(name)}=${snakeCase(name)}`);
  const args = [
    ...path.map((one) => pathName(one, resource)),
    ...positional.map(({ name }) => snakeCase(name)),
    ...keywords,
  ];
  return [...hugged(8, `page = await self.${snakeCase(lists.page)}(`, args, ')'), '        return [*page.items]'];
}

function waitMethod(method) {
  const what = singular(method.resource);
  const names = method.path.map((one) => pathName(one, method.resource));
  const parameters = ['self', ...names.map((name) => `${name}: str`), '*', 'timeout: float | None = None'];
  const get = `lambda wait: self.get(${names.join(', ')}, wait=wait)`;
  return [
    ...signature('async def wait', parameters, recordName(method)),
    ...docstring(8, [
      `Wait until the ${what} has finished, whatever its status.`,
      'Raises WorkFailed after `timeout` seconds.',
    ]),
    `        return await until_ended("${what}", ${get}, timeout)`,
  ];
}

function texts(method) {
  const all = method.lists
    ? Object.keys(FORMS)
        .filter((form) => form in method.lists)
        .map((form) => listMethod(method, form))
    : [plainMethod(method)];
  return method.waits ? [...all, waitMethod(method)] : all;
}

function classText({ name, about, methods }) {
  // A method called list hides the type from the annotations below it.
  const hidesList = methods.some((method) => Object.values(method.lists ?? [method.name]).includes('list'));
  const body = methods.flatMap((method) => texts({ ...method, hidesList })).map((lines) => lines.join('\n'));
  const code = [`class ${classOf(name)}(Resource):`, ...docstring(4, [about]), '', body.join('\n\n')].join('\n');
  const title = `"""The generated methods of \`\`client.${snakeCase(name)}\`\`."""`;
  const head = [HEADER, title, '', 'from __future__ import annotations', ''];
  return [...head, ...importsOf(code), '', '', code, ''].join('\n');
}

export const pythonFiles = resourcesIn('python').map((resource) => ({
  file: `${FOLDER}/${snakeCase(resource.name)}.py`,
  generate: () => classText(resource),
}));
