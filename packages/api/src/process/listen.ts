import type { AddressInfo, Server } from 'node:net';

/** Resolves when the server accepts connections. @throws the error of the system if it can't listen there */
export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return server.address() as AddressInfo;
}
