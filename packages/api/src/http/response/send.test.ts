import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import express, { type Response } from 'express';
import type { Context } from '../context.ts';
import { type Route, StreamResponse } from '../route.ts';
import { sendStream } from './send.ts';

/** Calls `work` with the response of a request. Returns what `work` returned. `leave` closes the client's connection. */
async function requested<R>(work: (res: Response, leave: () => void) => Promise<R>, method = 'GET'): Promise<R> {
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  try {
    return await new Promise<R>((resolve, reject) => {
      app.get('/', (_, res) => void work(res, () => client.destroy()).then(resolve, reject));
      client.write(`${method} / HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    });
  } finally {
    client.destroy();
    server.close();
  }
}

const sent = (res: Response, body: PassThrough) =>
  sendStream(
    { req: res.req, res } as Context,
    {} as Route,
    new StreamResponse('text/plain', body, {}, { checksCaller: true }),
  );

test.each([
  ['before the response is sent', true],
  ['before the first byte', false],
])('a body is released if its client leaves %s', async (_, isEarly) => {
  const body = new PassThrough();
  await requested(async (res, leave) => {
    if (isEarly) {
      leave();
      await once(res, 'close');
      return sent(res, body);
    }
    const sending = sent(res, body);
    leave();
    return sending;
  });
  expect(body.destroyed).toBe(true);
});

test('a body that ends without a byte is a complete response', async () => {
  const body = new PassThrough().end();
  await requested(async (res) => {
    await sent(res, body);
    await once(res, 'finish');
    expect([res.statusCode, res.getHeader('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  });
});

test('a body that fails before its first byte is an error, which the caller of the function gets', async () => {
  const body = new PassThrough();
  const failing = requested((res) => {
    body.destroy(new Error('the disk is gone'));
    return sent(res, body);
  });
  await expect(failing).rejects.toThrow('the disk is gone');
});

test('the response to HEAD ends at once, also if its body never would', async () => {
  const body = new PassThrough();
  body.write('first');
  await requested(async (res) => {
    const finished = once(res, 'finish');
    await sent(res, body);
    await finished;
    expect([res.statusCode, body.destroyed]).toEqual([200, true]);
  }, 'HEAD');
});
