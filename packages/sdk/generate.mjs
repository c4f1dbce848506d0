// The light route table of the SDK: importing the contracts themselves costs a program some 100 ms of start-up.
import { endpoints } from '../core/src/routes/index.ts';

const entries = Object.entries(endpoints).flatMap(([group, members]) =>
  Object.entries(members).map(([key, endpoint]) => [`${group}.${key}`, endpoint]),
);

function line([name, { method, path, noIdempotency }]) {
  const keyed = method === 'POST' && !noIdempotency ? ', keyed: true' : '';
  return `  '${name}': { method: '${method}', path: '${path}'${keyed} },`;
}

export default [
  {
    file: 'packages/sdk/src/generated/routes.ts',
    generate: () =>
      [
        '// Generated from the route table of @svc/core by "npm run generate". Do not edit.',
        '// `keyed`: the route takes an Idempotency-Key.',
        'export const routes = {',
        ...entries.map(line),
        '} as const;',
        '',
      ].join('\n'),
  },
];
