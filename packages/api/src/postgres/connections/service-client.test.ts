import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { PassThrough } from 'node:stream';
import { ServiceClient } from './service-client.ts';

const CALLER = { token: null, address: '127.0.0.1' };
const PIECE = Buffer.alloc(100_000, 1);

/** A service that reports when the response of its first request closes, and whether it was complete. */
function serviceOf(respond: RequestListener): { client: ServiceClient; closed: Promise<boolean> } {
  let client!: ServiceClient;
  const closed = new Promise<boolean>((resolve) => {
    client = new ServiceClient((req, res) => {
      res.once('close', () => resolve(res.writableFinished));
      respond(req, res);
    });
  });
  return { client, closed };
}

test('a request that is aborted before its response ends at the service, too (POSTGRES-14)', async () => {
  const abort = new AbortController();
  const { client, closed } = serviceOf(() => abort.abort());
  const call = client.call(CALLER, 'GET', '/', { signal: abort.signal });
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  expect(await closed).toBe(false);
});

test('a response that its reader leaves ends at the service, too (POSTGRES-14)', async () => {
  const { client, closed } = serviceOf((_req, res) => {
    const write = () => {
      if (res.destroyed) return;
      if (res.write(PIECE)) setImmediate(write);
      else res.once('drain', () => setImmediate(write));
    };
    write();
  });
  const stream = await client.stream(CALLER, '/', new AbortController().signal);
  await once(stream, 'data');
  stream.destroy();
  expect(await closed).toBe(false);
});

test('a response that the service breaks off fails, and a complete one arrives completely', async () => {
  const broken = serviceOf((_req, res) => {
    res.write(PIECE);
    res.destroy();
  });
  const incomplete = broken.client.stream(CALLER, '/', new AbortController().signal);
  await expect(incomplete.then((stream) => stream.toArray())).rejects.toThrow();
  const { client } = serviceOf((_req, res) => {
    res.end(Buffer.concat(Array(20).fill(PIECE)));
  });
  const complete = await client.stream(CALLER, '/', new AbortController().signal);
  expect(Buffer.concat(await complete.toArray()).length).toBe(2_000_000);
});

test('an upload that the service refuses before its end fails with the response, and with nothing else', async () => {
  const { client, closed } = serviceOf(({ socket }, res) => {
    res.writeHead(403).end(JSON.stringify({ code: 'not-allowed', detail: 'refused' }), () => socket.destroy());
  });
  const body = new PassThrough();
  body.on('error', () => undefined).write(PIECE);
  const uploading = client.upload(CALLER, '/', 'text/csv', body);
  await expect(uploading).rejects.toMatchObject({ name: 'ServiceError', status: 403 });
  expect(await closed).toBe(true);
  // An error that nobody listens to would end the process.
  await new Promise(setImmediate);
  body.destroy();
});
