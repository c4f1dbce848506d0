import type { LookupAddress, LookupOptions } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { remotePieces } from './remote-file.ts';

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((req, res) => {
    if (req.url === '/switched') res.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end();
    else res.end(`${req.headers.host} ${req.url}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

/** The text at the URL, where every name has these addresses. */
async function textAt(url: string, ...addresses: string[]): Promise<string> {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const lookup = (_host: string, _options: LookupOptions, done: (error: null, found: LookupAddress[]) => void) =>
    done(null, found);
  const pieces: Buffer[] = [];
  const file = { url, signal: new AbortController().signal };
  for await (const piece of remotePieces(file, lookup as never)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('a name that leads to an address of this machine or network is read: the operator allowed it (TABLE-21)', async () => {
  const url = `http://data.example:${port}/exports/a.csv?b=c`;
  expect(await textAt(url, '127.0.0.1')).toBe(`data.example:${port} /exports/a.csv?b=c`);
  expect(await textAt(url, '169.254.169.254', '127.0.0.1')).toBe(`data.example:${port} /exports/a.csv?b=c`);
});

test.each([
  ['http://data.example/a.csv', '169.254.169.254'],
  ['http://data.example/a.csv', '::ffff:169.254.169.254'],
  ['https://data.example/a.csv', 'fd00:ec2::254'],
  ['http://169.254.169.254/a.csv', '127.0.0.1'],
  ['http://[fe80::1]/a.csv', '127.0.0.1'],
])('%s never leads to the link-local or metadata address %s (TABLE-21)', async (url, address) => {
  await expect(textAt(url, address)).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('link-local or metadata address'),
  });
});

test('a server that switches the protocol is an error, not a request without an end', async () => {
  await expect(textAt(`http://data.example:${port}/switched`, '127.0.0.1')).rejects.toMatchObject({
    message: expect.stringContaining('it returned 101'),
  });
});
