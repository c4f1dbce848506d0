import { ACTIONS_OF, type Action } from './actions.ts';
import { smallestGrants } from './smallest-grants.ts';

const namesOf = (missing: readonly Action[]) => {
  const { single, roles, admin } = smallestGrants(missing);
  return [single, roles, admin === null ? [] : [admin]].map((grants) => grants.map(({ value }) => value));
};

test.each<[string, readonly Action[], string[][]]>([
  ['nothing', [], [[], [], []]],
  ['one action', ['READ_TABLE'], [['READ_TABLE'], [], []]],
  [
    'actions that one role allows',
    ['READ_ENVIRONMENT', 'SUBMIT_QUERY'],
    [['READ_ENVIRONMENT', 'SUBMIT_QUERY'], ['ANALYST'], []],
  ],
  ['actions of a table', ACTIONS_OF.TABLE, [[...ACTIONS_OF.TABLE], ['DATA_ENGINEER'], []]],
  [
    'actions of an environment',
    ACTIONS_OF.ENVIRONMENT,
    [[...ACTIONS_OF.ENVIRONMENT], ['ANALYST', 'DATA_ENGINEER'], []],
  ],
  ['actions of no role', ['READ_QUERY_TEXT', 'MANAGE_POLICY'], [['READ_QUERY_TEXT', 'MANAGE_POLICY'], [], []]],
  ['an action of ADMIN alone', ['MANAGE_GRANT', 'READ_AUDIT_LOG'], [['READ_AUDIT_LOG'], [], ['ADMIN']]],
])('%s: single actions first, then roles, ADMIN only if nothing smaller does (CLI-33)', (_, missing, expected) => {
  expect(namesOf(missing)).toEqual(expected);
});
