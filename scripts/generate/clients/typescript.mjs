// The generated classes of the TypeScript client.
import { bracketed, fits, usedNames, wrap } from './layout.mjs';
import { camelCase, classOf, resourcesIn, singular, splitName } from './model.mjs';
import { interfaceField, optionsType, typeDeclarations, typeText } from './typescript-types.mjs';

const HEADER = '// Generated from the contract by "npm run generate". Do not edit.';
const FOLDER = 'packages/sdk/src/generated';
const FORMS = {
  first: 'Returns the first page.',
  page: 'Returns one page.',
  iterate: 'Iterates over all pages.',
};
/** Names of records that a client's name differs from, because the name alone says too little. */
const RECORDS = { Token: 'TokenRecord' };

const resources = resourcesIn('typescript');
const methods = resources.flatMap((resource) => resource.methods);
const recordName = ({ record, route }) => RECORDS[record.name] ?? record.name ?? `AnswerOf<'${route}'>`;

function comment(indent, sentences) {
  const text = sentences.join(' ');
  const pad = ' '.repeat(indent);
  if (fits(`${pad}/** ${text} */`)) return [`${pad}/** ${text} */`];
  return [`${pad}/**`, ...wrap(text, indent + 3).map((line) => `${pad} * ${line}`), `${pad} */`];
}

const parameter = ({ name }) => camelCase(name);
const pair = (key, value) => (key === value ? key : `${key}: ${value}`);

/** A method's parameters as they are declared, and the names to pass them on. */
function parametersOf(method) {
  const { path, positional, named, object, endpoint } = method;
  const plain = [
    ...path.map((one) => [one.name, 'string']),
    ...positional.map((field) => [parameter(field), typeText(field.type)]),
  ];
  const bag = named.length > 0 ? (object ?? (endpoint.method === 'PATCH' ? 'body' : undefined)) : undefined;
  const fields = bag === undefined ? named : [];
  const options = method.type?.endsWith('Filters') ? 'filters' : 'options';
  const declared = plain.map(([name, type]) => `${name}: ${type}`);
  if (bag) declared.push(`${bag}: ${objectType(method)}${mayBeEmpty(method) ? ' = {}' : ''}`);
  declared.push(`${options}: ${optionsType(method, fields)}${fields.some((field) => field.required) ? '' : ' = {}'}`);
  return { declared, names: [...plain.map(([name]) => name), ...(bag ? [bag] : []), options], bag, fields, options };
}

function objectType(method) {
  const { named, route, type } = method;
  if (type) return type;
  if (named.length > 1 && !named.some(isTime)) return `BodyOf<'${route}'>`;
  return `{ ${named.map(interfaceField).join('; ')} }`;
}

const isTime = ({ type }) => type.kinds.some((kind) => kind === 'time' || kind === 'day');

function mayBeEmpty({ named, positional, endpoint }) {
  if (named.some((field) => field.required)) return false;
  return positional.length > 0 || endpoint[named[0].from].safeParse({}).success;
}

/** The parameters of the path; null if it has none. */
function paramsOf(path) {
  if (path.length === 0) return null;
  const ofTable = path.some(({ wire }) => wire === 'table');
  const single = path.filter(({ wire }) => !ofTable || (wire !== 'env' && wire !== 'table'));
  const pairs = single.map(({ wire, name }) => pair(wire, name)).join(', ');
  if (!ofTable) return `{ ${pairs} }`;
  return pairs === '' ? 'tableParams(env, table)' : `{ ...tableParams(env, table), ${pairs} }`;
}

/** Statements that prepare a request, and its options. */
function requestOf(method, { bag, fields, options }) {
  const { route, path, positional, named } = method;
  const lines = fields.length > 0 ? [`const { call, rest } = split(${options});`] : [];
  const parts = [fields.length > 0 ? '...call' : `...${options}`];
  const params = paramsOf(path);
  if (params !== null) parts.push(`params: ${params}`);
  const first = positional.map((field) => pair(field.wire, parameter(field)));
  const others = bag ?? (fields.length > 0 ? renamed(method, fields) : undefined);
  const sent = first.length === 0 ? others : `{ ${[...first, ...(others ? [`...${others}`] : [])].join(', ')} }`;
  if (sent !== undefined) {
    const { from } = [...positional, ...named][0];
    // JSON writes times as texts, which the type of the body can't say.
    const cast = from === 'body' && named.some(isTime) ? ` as BodyOf<'${route}'>` : '';
    const inline = `${from}: ${sent}${cast}`;
    const simple = /^[\w.]+$/.test(sent) || (fields.length === 0 && first.length === 1 && others === undefined);
    if (simple) parts.push(sent === from && cast === '' ? from : inline);
    else {
      lines.push(`const ${from} = ${sent}${cast};`);
      parts.push(from);
    }
  }
  return { lines, request: parts.length === 1 ? options : parts };
}

/** The fields of the options by their wire names. */
function renamed({ camelCase: both }, fields) {
  const names = fields.flatMap(({ wire, name }) => {
    const shown = both ? camelCase(name) : name;
    return shown === wire ? [] : [`${shown}: '${wire}'`];
  });
  return names.length === 0 ? 'rest' : `wired(rest, { ${names.join(', ')} })`;
}

function calling(method, verb, parameters) {
  const { lines, request } = requestOf(method, parameters);
  const open = `return this.call.${verb}('${method.route}', `;
  const call =
    typeof request === 'string' ? [`    ${open}${request});`] : bracketed(4, 2, `${open}{ `, request, ' });');
  return [...lines.map((line) => `    ${line}`), ...call];
}

function signature(prefix, parameters, result) {
  return bracketed(2, 2, `${prefix}(`, parameters, `): ${result} {`);
}

function plainMethod(method) {
  const { record, name, waits, notes } = method;
  const parameters = parametersOf(method);
  const type = record === undefined ? 'void' : `${recordName(method)}${record.many ? '[]' : ''}`;
  const extra = waits ? ['With `wait` (0 to 60 seconds), returns as soon as it has finished.'] : [];
  return [
    ...comment(2, [...notes, ...extra]),
    ...signature(name, parameters.declared, `Promise<${type}>`),
    ...calling(method, 'request', parameters),
    '  }',
  ];
}

function listMethod(method, form) {
  const { lists, notes } = method;
  const parameters = parametersOf(method);
  const item = recordName(method);
  const head = [...comment(2, [...notes, FORMS[form]])];
  if (form === 'first') {
    const { declared, names } = parameters;
    const body = `    return (await this.${lists.page}(${names.join(', ')})).items;`;
    return [...head, ...signature(`async ${lists.first}`, declared, `Promise<${item}[]>`), body, '  }'];
  }
  const [verb, result] =
    form === 'page' ? ['page', `Promise<Page<${item}>>`] : ['iterate', `AsyncGenerator<${item}, void, undefined>`];
  return [...head, ...signature(lists[form], parameters.declared, result), ...calling(method, verb, parameters), '  }'];
}

function waitMethod(method) {
  const what = singular(method.resource);
  const names = method.path.map(({ name }) => name).join(', ');
  const type = recordName(method);
  const parameters = [...method.path.map(({ name }) => `${name}: string`), `options: WaitOptions<${type}> = {}`];
  return [
    ...comment(2, [`Wait until the ${what} has finished, whatever its status.`]),
    ...signature('wait', parameters, `Promise<${type}>`),
    `    return waitUntilFinished(this.call, '${what}', (call) => this.get(${names}, call), options);`,
    '  }',
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

const recordNames = [...new Set(methods.filter(({ record }) => record?.name).map(recordName))];
const optionNames = [...new Set(methods.map(({ type }) => type).filter(Boolean))];
const MODULES = [
  ['../address.ts', ['tableParams'], []],
  ['../request.ts', [], ['BreakGlass', 'CallOptions', 'Page']],
  ['../resource.ts', ['Resource'], ['Paging']],
  ['../routes.ts', [], ['AnswerOf', 'BodyOf', 'ItemOf']],
  ['../split.ts', ['split', 'wired'], []],
  ['../wait.ts', ['waitUntilFinished'], ['WaitOptions']],
  ['./options.ts', [], optionNames.sort()],
  ['./records.ts', [], recordNames.sort()],
];

function importsOf(code, own) {
  const bare = code.replace(/^\s*(\/\*\*|\*).*$/gm, '');
  return MODULES.filter(([module]) => module !== own).flatMap(([module, values, types]) => {
    const usedValues = usedNames(bare, values);
    const usedTypes = usedNames(bare, types);
    if (usedValues.length === 0 && usedTypes.length === 0) return [];
    const onlyTypes = usedValues.length === 0;
    const names = [...usedValues, ...usedTypes]
      .sort()
      .map((name) => (onlyTypes || usedValues.includes(name) ? name : `type ${name}`));
    return bracketed(0, 2, `import ${onlyTypes ? 'type ' : ''}{ `, names, ` } from '${module}';`);
  });
}

function classText({ name, about, methods: own }) {
  const body = own.flatMap(texts).map((lines) => lines.join('\n'));
  const code = [...comment(0, [about]), `export class ${classOf(name)} extends Resource {`, body.join('\n\n'), '}', ''];
  const text = code.join('\n');
  return [HEADER, ...importsOf(text), '', text].join('\n');
}

/** Each record from the first route that returns it. */
function recordsText() {
  const first = new Map();
  for (const method of methods) {
    if (method.record?.name && !first.has(recordName(method))) first.set(recordName(method), method);
  }
  const lines = [...first]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { record, route }]) => `export type ${name} = ${record.many ? 'ItemOf' : 'AnswerOf'}<'${route}'>;`);
  const code = lines.join('\n');
  return [HEADER, ...importsOf(code, './records.ts'), '', code, ''].join('\n');
}

function optionsText() {
  const code = typeDeclarations(methods, comment).join('\n\n');
  return [HEADER, ...importsOf(code, './options.ts'), '', code, ''].join('\n');
}

export const typescriptFiles = [
  { file: `${FOLDER}/records.ts`, generate: recordsText },
  { file: `${FOLDER}/options.ts`, generate: optionsText },
  ...resources.map((resource) => ({
    file: `${FOLDER}/${splitName(resource.name).join('-')}.ts`,
    generate: () => classText(resource),
  })),
];
