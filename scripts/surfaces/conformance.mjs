// What the specification names of commands and clients, and which test holds it.
import { readFileSync } from 'node:fs';
import { COMMANDS } from '../../packages/cli/src/commands.ts';
import { page, table } from './markdown/table.mjs';

const read = (file) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
const code = (text) => `\`${text}\``;
const commands = read('packages/cli/specified/commands.json');
const methods = read('vectors/specified.json');

const ofCommand = ([id, { from, args = '', options = '' }]) => [
  code(`svc ${id}${args === '' ? '' : ` ${args}`}`),
  options.split(' ').filter(Boolean).map(code).join(' '),
  from,
  id in COMMANDS ? 'yes' : '**no**',
];
const ofMethod = ({ from, python, takes, typescript }) => [
  code(`client.${python}`),
  takes.split(' ').filter(Boolean).map(code).join(' '),
  code(`client.${typescript}`),
  from,
];

export default [
  {
    file: 'docs/reference/conformance.md',
    generate: () =>
      page(
        'What is specified of commands and clients',
        'Every command and method that the specification or the interface page names. Tests hold that each is there with these words, options, arguments and defaults: `packages/cli/src/specification.test.ts`, `packages/sdk/src/specification.test.ts`, `packages/sdk-python/tests/test_specification.py`. What they say and send is held by `specified-texts.test.ts` and by the vectors.',
        '## Commands',
        table(['Command', 'Options', 'From', 'There'], Object.entries(commands).map(ofCommand)),
        '## Clients',
        table(['Python', 'Takes', 'TypeScript', 'From'], methods.map(ofMethod)),
      ),
  },
];
