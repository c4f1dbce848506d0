import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SvcClient } from './client.ts';
import { encryptedOnly, requireEncryption } from './plain-http.ts';
import type { TransportRequest } from './transport.ts';

test.each([
  'http://svc.example.com',
  'HTTP://SVC.EXAMPLE.COM:8470/base',
  'http://203.0.113.7',
  'http://10.1.2.3',
  'http://192.168.1.5',
  'http://proxy:8470',
  'http://127.0.0.1.example.com',
  'http://localhost.example.com',
  'http://a.localhost',
  'http://127.0.0.1@svc.example.com',
  'http://[::ffff:10.0.0.1]',
  'http://[fd00::1]',
  'http://0.0.0.0:8470',
])('%s needs allowInsecure (SDK-11)', (url) => {
  expect(() => requireEncryption(url)).toThrow(expect.objectContaining({ code: 'insecure-address' }));
});

test.each([
  'https://svc.example.com',
  'http://127.0.0.1:8470',
  'http://127.9.8.7',
  'http://localhost',
  'http://[::1]:1',
])('%s does not (SDK-11)', (url) => expect(() => requireEncryption(url)).not.toThrow());

test('only a GET without a token is sent (SDK-11)', async () => {
  const sent: string[] = [];
  const transport = encryptedOnly(async (url) => {
    sent.push(url);
    return Response.json({});
  });
  const request = (more: Partial<TransportRequest>): TransportRequest => ({
    method: 'GET',
    headers: {},
    signal: new AbortController().signal,
    ...more,
  });
  await transport('http://a.test/livez', request({}));
  for (const more of [{ method: 'POST' }, { headers: { authorization: 'Bearer x' } }])
    await expect(transport('http://a.test/api', request(more))).rejects.toThrow('https://');
  expect(sent).toEqual(['http://a.test/livez']);
});

test('a client names the remedy, and sends the token if it is allowed (SDK-11)', async () => {
  const url = 'http://svc.nowhere.invalid';
  await expect(new SvcClient({ url, token: 't', retries: 0 }).environments.list()).rejects.toThrow(
    'set SVC_ALLOW_INSECURE=true, allowInsecure: true',
  );
  const allowed = new SvcClient({ url, token: 't', retries: 0, allowInsecure: true });
  await expect(allowed.environments.list()).rejects.toThrow('could not be reached');
});

test('a redirect is not followed, so that the token stays with the address (SDK-11)', async () => {
  const server = createServer((_, response) => {
    response.writeHead(302, { location: 'http://svc.nowhere.invalid/' }).end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(new SvcClient({ url, token: 't' }).environments.list()).rejects.toMatchObject({ status: 302 });
  } finally {
    server.close();
  }
});

test('an https address of a service without TLS is named as such', async () => {
  const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const list = new SvcClient({ url, token: 't', retries: 0 }).environments.list();
    await expect(list).rejects.toThrow(`${url} responds without TLS.`);
  } finally {
    server.close();
  }
});
