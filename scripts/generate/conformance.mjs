// The commands and methods that are part of the public contract, and which test proves each rule of docs/specification.
import { readFileSync } from 'node:fs';
import { COMMANDS } from '../../packages/cli/src/generated/commands.ts';
import { provingTests, readCitations, readRules } from '../rules.ts';
import { page, table } from './markdown/table.mjs';

const read = (file) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
const code = (text) => `\`${text}\``;
const commands = read('packages/cli/specified/commands.json');
const methods = read('vectors/specified.json');

const ofCommand = ([id, { args = '', options = '' }]) => [
  code(`svc ${id}${args === '' ? '' : ` ${args}`}`),
  options.split(' ').filter(Boolean).map(code).join(' '),
  id in COMMANDS ? 'yes' : '**no**',
];
const ofMethod = ({ python, takes, typescript }) => [
  code(`client.${python}`),
  takes.split(' ').filter(Boolean).map(code).join(' '),
  code(`client.${typescript}`),
];

function ofRules() {
  const rules = readRules();
  const tests = provingTests(readCitations(rules));
  return rules.map(({ id, page: file, summary, withdrawn }) => [
    `[${id}](../specification/${file})`,
    summary,
    withdrawn ? 'withdrawn' : (tests.get(id) ?? []).map(code).join(', '),
  ]);
}

export default [
  {
    file: 'docs/reference/conformance.md',
    generate: () =>
      page(
        'Conformance',
        'Which test proves each rule of the [specification](../specification/README.md), and the commands and methods that are part of the public contract.',
        '## Rules',
        table(['Rule', 'States', 'Tests'], ofRules()),
        '## Commands',
        'Names, arguments, options and defaults are tested by `packages/cli/src/tests/specification.test.ts`, what they print and send by `specified-texts.test.ts`.',
        table(['Command', 'Options', 'Exists'], Object.entries(commands).map(ofCommand)),
        '## Clients',
        'Tested by `packages/sdk/src/specification.test.ts`, `packages/sdk-python/tests/test_specification.py` and the shared vectors.',
        table(['Python', 'Arguments', 'TypeScript'], methods.map(ofMethod)),
      ),
  },
];
