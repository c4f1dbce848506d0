import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request for temporary credentials, as AWS STS receives it. */
export interface AssumeRole {
  readonly RoleArn: string;
  readonly RoleSessionName: string;
  readonly DurationSeconds: string;
  readonly Policy: string;
}

/** A token service that issues credentials to anyone and records the requests. No bucket knows its credentials. */
export interface StsServer {
  readonly endpoint: string;
  readonly requests: AssumeRole[];
  /** The error code with which it responds from now on; null: it issues credentials. */
  failWith: string | null;
  readonly stop: () => Promise<void>;
}

/** @param clock milliseconds since 1970 */
export async function startStsServer(clock: () => number): Promise<StsServer> {
  const requests: AssumeRole[] = [];
  const server = createServer(async (req, res) => {
    const form = Object.fromEntries(new URLSearchParams(await text(req))) as unknown as AssumeRole;
    requests.push(form);
    const { failWith } = sts;
    res.writeHead(failWith === null ? 200 : 403, { 'Content-Type': 'text/xml' });
    res.end(failWith === null ? issued(form, requests.length, clock()) : refused(failWith));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sts: StsServer = {
    endpoint: `http://127.0.0.1:${port}`,
    requests,
    failWith: null,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return sts;
}

function issued({ DurationSeconds }: AssumeRole, serial: number, now: number): string {
  const expiration = new Date(now + Number(DurationSeconds) * 1000).toISOString();
  return `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
<AccessKeyId>key-${serial}</AccessKeyId><SecretAccessKey>secret-${serial}</SecretAccessKey>
<SessionToken>session-${serial}</SessionToken><Expiration>${expiration}</Expiration>
</Credentials></AssumeRoleResult></AssumeRoleResponse>`;
}

const refused = (code: string): string =>
  `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>${code}</Code><Message>not this role</Message></Error></ErrorResponse>`;
