import { chainSteps } from './chain-steps.ts';

const scope = { kind: 'NAMESPACE', environment: 'dev', namespace: 'sales', table: null } as const;
const grant = { kind: 'grant', grant_id: '01', group: null, role: null, scope } as const;
const text = (...args: Parameters<typeof chainSteps>) => chainSteps(...args).map(({ kind, name }) => `${kind} ${name}`);

test('a grant of a single action on the object itself', () => {
  expect(text('ann', grant, 'READ_TABLE')).toEqual([
    'principal ann',
    'granted action READ_TABLE',
    'on namespace dev/sales',
  ]);
});

test('a role of a group on what contains the object', () => {
  const via = { ...grant, kind: 'group', group: 'analysts', role: 'ANALYST' } as const;
  expect(text('ann', via, 'READ_TABLE', { environment: 'dev', namespace: 'sales', table: 'orders' })).toEqual([
    'principal ann',
    'member of group analysts',
    'granted role ANALYST',
    'on namespace dev/sales',
    'which contains dev/sales/orders',
  ]);
});

test('a grant on everything', () => {
  const instance = { kind: 'INSTANCE', environment: null, namespace: null, table: null } as const;
  expect(text('ann', { ...grant, role: 'ADMIN', scope: instance }, 'READ_TABLE')).toEqual([
    'principal ann',
    'granted role ADMIN',
    'on the instance',
  ]);
});
