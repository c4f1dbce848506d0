// Actions by object kind, roles, and what each action opens, from the access rules and the route table.
import {
  ACTIONS,
  ACTIONS_OF,
  ADMIN_ONLY,
  ROLE_ACTIONS,
  ROLES,
  TASK_TOKEN_ACTIONS,
} from '../../packages/core/src/access/index.ts';
import { ALL_ENDPOINTS } from '../../packages/core/src/routes/index.ts';
import { page, table } from './markdown/table.mjs';

const code = (text) => `\`${text}\``;
const kinds = Object.entries(ACTIONS_OF).map(([kind, actions]) => [code(kind), actions.map(code).join(', ')]);

const carriers = ACTIONS.map((action) => [
  code(action),
  ...ROLES.map((role) => {
    if (!ROLE_ACTIONS[role].includes(action)) return '';
    return ADMIN_ONLY.includes(action) ? 'on the instance' : 'yes';
  }),
  TASK_TOKEN_ACTIONS.includes(action) ? 'yes' : '',
]);

function opens(action) {
  return ALL_ENDPOINTS.filter(({ needs }) =>
    needs.kind === 'action' ? needs.action === action : needs.kind === 'decided' && needs.actions.includes(action),
  ).map(({ id }) => code(id));
}

export default [
  {
    file: 'docs/reference/permissions.md',
    generate: () =>
      page(
        'Permissions',
        'A grant gives a role or a single action on an object: the instance, an environment, a namespace or a table. It covers the object and everything inside it. How to grant, and how to ask why something is refused, is told in [access](../guide/access.md).',
        '## Actions by kind of object',
        table(['Object', 'Actions, in the order of a permissions answer'], kinds),
        '## Who carries what',
        'A task token carries the marked actions at most, and only those its principal has.',
        table(['Action', ...ROLES.map(code), 'task token'], carriers),
        `- ${ADMIN_ONLY.map(code).join(', ')} need the role \`ADMIN\` on the instance; a grant of the single action has no effect.\n- \`READ_QUERY_TEXT\` belongs to no role: it is granted as a single action on the instance.`,
        '## What each action opens',
        'By operation id, see [routes](routes.md). An action without routes here belongs to a part that this version does not have yet, or is asked inside another route.',
        table(
          ['Action', 'Operations'],
          ACTIONS.map((action) => [code(action), opens(action).join(', ')]),
        ),
      ),
  },
];
