import { once } from 'node:events';
import { createServer } from 'node:net';
import { listen } from './listen.ts';

const anywhere = { host: '127.0.0.1', port: 0 };

test('an address in use is an error, and a failure to accept a connection is only logged', async () => {
  const logged: unknown[] = [];
  const log = { error: (entry: unknown) => logged.push(entry) } as never;
  const server = createServer();
  const { port } = await listen(server, anywhere, log);
  await expect(listen(createServer(), { ...anywhere, port }, log)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const notAccepted = new Error('accept EMFILE');
  server.emit('error', notAccepted);
  server.emit('error', notAccepted);
  expect(logged).toEqual([{ err: notAccepted }, { err: notAccepted }]);
  server.close();
  await once(server, 'close');
});
