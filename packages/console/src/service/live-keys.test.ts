import type { LiveEvent } from '@svc/sdk/browser';
import { staleKeys } from './live-keys.ts';

const event = (kind: string, named: Partial<LiveEvent> = {}): LiveEvent =>
  ({ kind, id: null, name: null, repository: null, ...named }) as LiveEvent;

test('a table concerns its page and the lists of its namespace, and no other table', () => {
  const keys = staleKeys('dev', [event('table', { name: 'sales.eu.orders' })]);
  expect(keys).toContainEqual(['catalog', 'dev', 'table', 'sales.eu.orders']);
  expect(keys).toContainEqual(['catalog', 'dev', 'tables', 'sales.eu']);
  expect(keys).not.toContainEqual(['catalog', 'dev']);
});

test.each([
  event('table', { name: 'sales.orders' }),
  event('namespace', { name: 'sales' }),
  event('deploy', { id: 'a', name: 'shop' }),
])('results of a search are loaded again after a change of what they list: $kind', (changed) => {
  expect(staleKeys('dev', [changed])).toContainEqual(['catalog', 'dev', 'search']);
});

test('messages that concern the same queries load them once', () => {
  const runs = [event('run', { id: 'a' }), event('run', { id: 'b' })];
  const keys = staleKeys('dev', runs)!.map((key) => key.join(' '));
  expect(keys.filter((key) => key === 'runs dev')).toHaveLength(1);
  expect(keys).toEqual(expect.arrayContaining(['run dev a', 'run dev b']));
});

test('a reset concerns everything; a start, and what a newer service reports, nothing', () => {
  expect(staleKeys('dev', [event('run'), event('reset')])).toBeNull();
  expect(staleKeys('dev', [event('ready'), event('constructor'), event('planet')])).toEqual([]);
});
