// The facts that the command line needs without loading the contract.
import { readFileSync } from 'node:fs';
import { ACTIONS, ROLES } from '../../packages/core/src/access/index.ts';
import { EVENT_TYPES } from '../../packages/core/src/audit/index.ts';

const list = (name, values) =>
  `export const ${name} = [\n${values.map((word) => `  '${word}',\n`).join('')}] as const;`;

function known() {
  const { version } = JSON.parse(readFileSync(new URL('../../packages/cli/package.json', import.meta.url), 'utf8'));
  return [
    '// Written by "npm run generate" out of package.json and packages/core.',
    `export const VERSION = '${version}';`,
    list('ACTIONS', ACTIONS),
    `export const ROLES = [${ROLES.map((role) => `'${role}'`).join(', ')}] as const;`,
    `${list('EVENT_TYPES', EVENT_TYPES)}\n`,
  ].join('\n');
}

export default [{ file: 'packages/cli/src/generated/known.ts', generate: known }];
