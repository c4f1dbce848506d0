// Actions by kind of object, roles, and the operations that each action allows, from the access rules and the route table.
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

const rolesByAction = ACTIONS.map((action) => [
  code(action),
  ...ROLES.map((role) => {
    if (!ROLE_ACTIONS[role].includes(action)) return '';
    return ADMIN_ONLY.includes(action) ? 'on the instance' : 'yes';
  }),
  TASK_TOKEN_ACTIONS.includes(action) ? 'yes' : '',
]);

function operationsOf(action) {
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
        'A grant allows a role or a single action on an object: the instance, an environment, a namespace or a table. It covers the object and everything inside it. See [access](../guide/access.md) for how to grant, and how to find out why a request was denied.',
        '## Actions by kind of object',
        table(['Object', 'Actions, in the order of the permissions response'], kinds),
        '## Actions of roles and task tokens',
        'A task token can have only the marked actions, and of those only the ones its principal has.',
        table(['Action', ...ROLES.map(code), 'task token'], rolesByAction),
        `- ${ADMIN_ONLY.map(code).join(', ')} require the role \`ADMIN\` on the instance. A grant of the single action has no effect.\n- \`READ_QUERY_TEXT\` is not part of any role. Grant it as a single action on the instance.`,
        '## Operations that each action allows',
        '[Routes](routes.md) lists the operation ids. An action without operations belongs to a feature that this version does not have yet, or is checked within another operation.',
        table(
          ['Action', 'Operations'],
          ACTIONS.map((action) => [code(action), operationsOf(action).join(', ')]),
        ),
      ),
  },
];
