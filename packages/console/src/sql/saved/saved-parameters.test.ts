import type { ParameterInputs } from '../parameters.ts';
import {
  changedParametersOf,
  declarationsOf,
  savedInputsOf,
  savedOptionsOf,
  savedParametersOf,
} from './saved-parameters.ts';

const inputs: ParameterInputs = new Map([
  ['day', { type: 'date', value: '2026-03-01' }],
  ['who', { type: 'string', value: '' }],
  ['none', { type: 'null', value: 'left over' }],
]);
const names = ['Day', 'who', 'none', 'new'];

test('parameters are saved with the names of the statement, and without an empty default', () => {
  expect(savedParametersOf(names, inputs, { withValues: true })).toEqual([
    { name: 'Day', type: 'date', default: '2026-03-01' },
    { name: 'who', type: 'string', default: null },
    { name: 'none', type: 'string', default: null },
    { name: 'new', type: 'string', default: null },
  ]);
  expect(savedParametersOf(['Day'], inputs, { withValues: false })).toEqual([
    { name: 'Day', type: 'date', default: null },
  ]);
});

test('a changed statement keeps the defaults of parameters with the same type', () => {
  const saved = [
    { name: 'DAY', type: 'date', default: '2026-01-01' },
    { name: 'who', type: 'int', default: '7' },
    { name: 'none', type: 'long', default: '1' },
  ];
  expect(changedParametersOf(saved, names, inputs)).toEqual([
    { name: 'Day', type: 'date', default: '2026-01-01' },
    { name: 'who', type: 'string', default: null },
    { name: 'none', type: 'long', default: '1' },
    { name: 'new', type: 'string', default: null },
  ]);
});

test('a saved query opens with its defaults', () => {
  const saved = savedParametersOf(names, inputs, { withValues: true });
  expect([...savedInputsOf(saved)]).toEqual([
    ['day', { type: 'date', value: '2026-03-01' }],
    ['who', { type: 'string', value: '' }],
    ['none', { type: 'string', value: '' }],
    ['new', { type: 'string', value: '' }],
  ]);
  expect(declarationsOf(saved)).toEqual(['Day:date=2026-03-01', 'who', 'none', 'new']);
});

test('the command that runs a saved query names only the values that are not its defaults', () => {
  const saved = [
    { name: 'Day', type: 'date', default: '2026-03-01' },
    { name: 'who', type: 'string', default: null },
  ];
  const entered = new Map(inputs).set('who', { type: 'string', value: 'ann' });
  expect(savedOptionsOf(saved, ['Day', 'who'], entered)).toEqual(['who=ann']);
  expect(savedOptionsOf(saved, ['Day'], new Map([['day', { type: 'date', value: '2026-03-02' }]]))).toEqual([
    'Day=2026-03-02',
  ]);
  expect(savedOptionsOf(saved, ['Day'], new Map([['day', { type: 'string', value: 'x' }]]))).toEqual(['Day:string=x']);
  expect(savedOptionsOf(saved, ['none'], inputs)).toBeNull();
});
