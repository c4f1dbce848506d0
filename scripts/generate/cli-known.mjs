// The facts that the command line needs without loading the contract.
import { readFileSync } from 'node:fs';
import { ACTIONS, ADMIN_ONLY, OBJECT_KINDS, ROLES } from '../../packages/core/src/access/index.ts';
import { EVENT_TYPES } from '../../packages/core/src/audit/index.ts';
import { isFinished, WORK_STATUSES } from '../../packages/core/src/writes/index.ts';

function list(name, values) {
  const line = `export const ${name} = [${values.map((word) => `'${word}'`).join(', ')}] as const;`;
  if (line.length <= 120) return line;
  return `export const ${name} = [\n${values.map((word) => `  '${word}',\n`).join('')}] as const;`;
}

function known() {
  const { version } = JSON.parse(readFileSync(new URL('../../packages/cli/package.json', import.meta.url), 'utf8'));
  return [
    '// Written by "npm run generate" out of package.json and packages/core.',
    `export const VERSION = '${version}';`,
    list('ACTIONS', ACTIONS),
    list('ADMIN_ONLY', ADMIN_ONLY),
    list('ROLES', ROLES),
    list('OBJECT_KINDS', OBJECT_KINDS),
    list('WORK_STATUSES', WORK_STATUSES),
    list(
      'FINISHED_STATUSES',
      WORK_STATUSES.filter((status) => isFinished({ status })),
    ),
    `${list('EVENT_TYPES', EVENT_TYPES)}\n`,
  ].join('\n');
}

export default [{ file: 'packages/cli/src/generated/known.ts', generate: known }];
