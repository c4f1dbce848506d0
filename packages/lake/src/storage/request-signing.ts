import { createHash } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import { SignatureV4 } from '@smithy/signature-v4';
import { type RequestSigner, readRequest } from './signable-request.ts';

const PAYLOAD = 'x-amz-content-sha256';
/** What the server is held to beside the host. Others, as Range, a client may vary below one signature. */
const SIGNED = /^(?:x-amz-.*|content-md5|if-none-match)$/;

/** Of a body that the client may still choose; with checksums after it, where it says so. */
const unsigned = (headers: ReadonlyMap<string, string>): string =>
  headers.has('x-amz-trailer') ? 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' : 'UNSIGNED-PAYLOAD';

/** Signs requests to the bucket with the service's own key (AWS signature version 4), so that none has to be lent. */
export function requestSigner(
  client: S3Client,
  place: { bucket: string; endpoint: string | null; region: string; pathStyle: boolean },
): RequestSigner {
  const { endpoint, region, pathStyle } = place;
  const { credentials, sha256 } = client.config;
  const signer = new SignatureV4({ service: 's3', region, credentials, sha256, uriEscapePath: false });
  return {
    properties: {
      'client.region': region,
      's3.region': region,
      ...(endpoint === null ? {} : { 's3.endpoint': endpoint }),
      ...(pathStyle ? { 's3.path-style-access': 'true' } : {}),
    },
    read: (request) => readRequest(request, place).asked,
    async sign(request, now) {
      const { parts, headers, body } = readRequest(request, place);
      const given = new Map([...headers].filter(([name]) => SIGNED.test(name)));
      // What was looked into must be what is sent.
      if (body !== null) given.set(PAYLOAD, createHash('sha256').update(body).digest('hex'));
      else if (!given.has(PAYLOAD)) given.set(PAYLOAD, unsigned(headers));
      // Files are written once: what a snapshot names stays what it is, whoever may write.
      if (parts.creates) given.set('if-none-match', '*');
      const { protocol, hostname, port, method, path, query } = parts;
      const host = port === undefined ? hostname : `${hostname}:${port}`;
      const at = { protocol, hostname, ...(port === undefined ? {} : { port }), method, path, query };
      const signed = await signer.sign(
        { ...at, headers: { host, ...Object.fromEntries(given) } },
        { signingDate: now },
      );
      // A client keeps its own, and would send twice what it is told again.
      const added = Object.entries(signed.headers).filter(
        ([name]) => name !== 'host' && !headers.has(name.toLowerCase()),
      );
      return {
        uri: request.uri,
        headers: Object.fromEntries(added.map(([name, value]) => [name, [value]])),
      };
    },
  };
}
