import { PassThrough } from 'node:stream';
import { MessageSink } from './message-sink.ts';

test('rows are sent only as fast as the client reads them (POSTGRES-7)', async () => {
  const socket = new PassThrough({ highWaterMark: 1024 });
  const sink = new MessageSink(socket);
  const rows = Buffer.alloc(100_000, 1);
  let sent = 0;
  const sending = (async () => {
    for (let i = 0; i < 5; i++) {
      await sink.sendRows(rows);
      sent++;
    }
  })();
  await new Promise(setImmediate);
  expect(sent).toBeLessThan(3);
  let read = 0;
  socket.on('data', ({ length }: Buffer) => {
    read += length;
  });
  await sending;
  await sink.flush();
  expect([sent, read]).toEqual([5, 500_000]);
});

test('small messages are collected until they are flushed', async () => {
  const socket = new PassThrough();
  const sink = new MessageSink(socket);
  sink.send(Buffer.from('a'), Buffer.from('b'));
  expect(socket.read()).toBeNull();
  await sink.flush();
  expect(String(socket.read())).toBe('ab');
});

test('a client that has left is not waited for', async () => {
  const socket = new PassThrough({ highWaterMark: 1024 });
  const sink = new MessageSink(socket);
  const sending = sink.sendRows(Buffer.alloc(100_000));
  socket.destroy();
  expect(await sending).toBe(100_000);
  await sink.sendRows(Buffer.alloc(100_000));
});
