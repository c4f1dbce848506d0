import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The address of the database: forwards connections to the active server, as a virtual IP or a Kubernetes Service does. */
export interface Relay {
  port: number;
  /** Sends new connections to this port, or refuses them if it is null. Closes all open connections. */
  pointTo: (port: number | null) => void;
  stop: () => Promise<void>;
}

export async function startRelay(first: number): Promise<Relay> {
  let target: number | null = first;
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    if (target === null) return void client.destroy();
    const upstream = connect({ port: target, host: '127.0.0.1', noDelay: true });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    pointTo(port) {
      target = port;
      cut();
    },
    async stop() {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
