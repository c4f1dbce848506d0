import { RouteTree } from './route-tree.ts';

const tree = new RouteTree<string>();
for (const [method, path] of [
  ['GET', '/a'],
  ['POST', '/a'],
  ['GET', '/a/{name}'],
  ['DELETE', '/a/{id}'],
  ['GET', '/a/mine'],
  ['GET', '/a/{name}/b/{other}'],
  ['GET', '/a/mine/c'],
] as const)
  tree.add(method, path, `${method} ${path}`);

test.each([
  ['GET', '/a', 'GET /a', {}],
  ['GET', '/a/', 'GET /a', {}],
  ['HEAD', '/a', 'GET /a', {}],
  ['POST', '/a', 'POST /a', {}],
  ['GET', '/a/x', 'GET /a/{name}', { name: 'x' }],
  ['DELETE', '/a/x', 'DELETE /a/{id}', { id: 'x' }],
  ['GET', '/a/mine', 'GET /a/mine', {}],
  ['GET', '/a/mine/b/%C3%A9%2F', 'GET /a/{name}/b/{other}', { name: 'mine', other: 'é/' }],
  ['GET', '/a/mine/c', 'GET /a/mine/c', {}],
  ['GET', '/a/__proto__', 'GET /a/{name}', { name: '__proto__' }],
])('%s %s is %s', (method, path, value, params) => {
  expect(tree.find(method, path)).toEqual({ kind: 'found', value, params });
});

test.each(['/', '', '/A', '/a//', '/a//b/x', '/a/x/b', '/a/x/b/y/z', 'a'])('%p does not match', (path) => {
  expect(tree.find('GET', path)).toEqual({ kind: 'none' });
});

test('another method gets the list of allowed methods', () => {
  expect(tree.find('PUT', '/a')).toEqual({ kind: 'other-methods', methods: ['GET', 'POST'] });
  expect(() => tree.find('GET', '/a/%ff')).toThrow(URIError);
  expect(() => tree.add('GET', '/a/{x}', '')).toThrow('two routes GET /a/{x}');
});
