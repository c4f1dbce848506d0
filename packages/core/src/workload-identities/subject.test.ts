import { subjectFailure, subjectMatches, workloadMatches } from './subject.ts';

test.each([
  ['repo:org/name:ref:refs/heads/main', true],
  ['repo:org/name:*', true],
  ['repo:org/*', true],
  ['system:serviceaccount:jobs:*', true],
  ['project_path:group/*', true],
  ['*', false],
  ['repo:*', false],
  ['spiffe://example.org/*', true],
  ['spiffe://*', false],
  ['https://*', false],
  ['repo:org*', false],
  ['repo:org/na*', false],
  ['repo:*/name:*', false],
  ['repo:org/**', false],
  ['', false],
  ['x'.repeat(256), false],
])('the subject %s is valid: %s (TOKEN-8)', (text, valid) => expect(subjectFailure(text) === null).toBe(valid));

test.each([
  ['repo:org/name:ref:refs/heads/main', 'repo:org/name:ref:refs/heads/main', true],
  ['repo:org/name:ref:refs/heads/main', 'repo:org/name:ref:refs/heads/main2', false],
  ['repo:org/name:ref:refs/heads/main', 'REPO:org/name:ref:refs/heads/main', false],
  ['repo:org/name:*', 'repo:org/name:pull_request', true],
  ['repo:org/name:*', 'repo:org/name-evil:pull_request', false],
  ['repo:org/*', 'repo:org/', false],
  ['repo:org/*', 'repo:org-evil/name', false],
])('the pattern %s and the subject %s: %s (TOKEN-8)', (pattern, subject, matches) =>
  expect(subjectMatches(pattern, subject)).toBe(matches),
);

describe('the claims of a token (TOKEN-8)', () => {
  const rule = { audience: 'svc', subject: 'a', claims: { ref: 'main', id: '7' } };
  const token = { aud: ['x', 'svc'], sub: 'a', ref: 'main', id: 7 };
  test.each<[string, object, boolean]>([
    ['that are the same', {}, true],
    ['with one audience', { aud: 'svc' }, true],
    ['with another audience', { aud: 'svc2' }, false],
    ['without an audience', { aud: undefined }, false],
    ['with another value', { ref: 'dev' }, false],
    ['without one', { id: undefined }, false],
    ['with a list', { ref: ['main'] }, false],
    ['with another subject', { sub: 'b' }, false],
    ['without a subject', { sub: undefined }, false],
  ])('%s', (_, changed, matches) => expect(workloadMatches(rule, { ...token, ...changed })).toBe(matches));
  test('a property that every object has is not a claim', () =>
    expect(workloadMatches({ ...rule, claims: { constructor: 'x' } }, token)).toBe(false));
});
