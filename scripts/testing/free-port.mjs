import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of 127.0.0.1 for a program that can't choose one itself. Another program may take it before that one listens. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
