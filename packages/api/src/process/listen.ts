import type { AddressInfo, Server } from 'node:net';
import type { Logger } from 'pino';

/** Resolves when the server accepts connections. @throws the error of the system if it can't listen there */
export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
  log: Pick<Logger, 'error'>,
): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // Such as too many open files. The other connections continue.
  server.on('error', (err) => log.error({ err }, "a connection couldn't be accepted"));
  return server.address() as AddressInfo;
}
