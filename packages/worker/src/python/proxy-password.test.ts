import { withoutPassword } from './task-variables.ts';

test.each([
  ['http://user:secret@proxy.example:3128', 'http://proxy.example:3128/'],
  ['user:secret@proxy.example:3128', 'http://proxy.example:3128/'],
  ['http://secret@proxy.example', 'http://proxy.example/'],
  ['http://proxy.example:3128', 'http://proxy.example:3128/'],
  ['http://user:se cret@proxy:x', undefined],
  ['', undefined],
])('of the proxy %j, a task gets %j (RUN-20)', (proxy, shown) => {
  const env = withoutPassword({ HTTPS_PROXY: proxy, NO_PROXY: 'localhost' });
  expect(env).toEqual(shown === undefined ? { NO_PROXY: 'localhost' } : { NO_PROXY: 'localhost', HTTPS_PROXY: shown });
});

test('without a proxy, a task gets none', () =>
  expect(withoutPassword({ SSL_CERT_FILE: 'x' })).toEqual({ SSL_CERT_FILE: 'x' }));
