import { scopeText } from './scope-text.ts';

test.each([
  [null, null, 'everything'],
  [['dev', 'prod'], null, 'in dev, prod'],
  [[], null, 'in no environment'],
  [null, ['RUN', 'DEPLOY'], 'RUN, DEPLOY'],
  [['dev'], ['RUN'], 'RUN in dev'],
])('a scope with environments %j and actions %j is shown as %p', (environments, actions, text) =>
  expect(scopeText({ environments, actions })).toBe(text),
);
