import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Forwards each request to one server. After a change, active requests finish where they are. */
export interface LoadBalancer {
  url: string;
  moveTo: (url: string) => void;
  stop: () => void;
}

export async function startLoadBalancer(first: string): Promise<LoadBalancer> {
  let target = first;
  const server = createServer((incoming, response) => {
    const { method, headers } = incoming;
    const outgoing = request(`${target}${incoming.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    // Like the connection to a server that closes it, so that the client sees a failure.
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    moveTo(url) {
      target = url;
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
