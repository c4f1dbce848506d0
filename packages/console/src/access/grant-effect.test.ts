import { gainedActions } from './grant-effect.ts';

const permission = (action: string, allowed: boolean) => ({ action, allowed, via: [], reason: null }) as never;
const permissions = [
  permission('READ_TABLE', true),
  permission('WRITE_TABLE', false),
  permission('MANAGE_GRANT', false),
];
const dev = { environment: 'dev' };

test.each([
  [{ role: 'DATA_ENGINEER' as const }, dev, ['WRITE_TABLE']],
  [{ role: 'ANALYST' as const }, dev, []],
  [{ action: 'WRITE_TABLE' as const }, dev, ['WRITE_TABLE']],
  [{ action: 'READ_TABLE' as const }, dev, []],
  [{ action: 'MANAGE_GRANT' as const }, {}, []],
  [{ role: 'ADMIN' as const }, {}, ['WRITE_TABLE', 'MANAGE_GRANT']],
])('%j on %j adds %j', (right, object, gained) =>
  expect(gainedActions({ permissions }, right, object)).toEqual(gained),
);
