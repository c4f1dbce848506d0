import { createHash } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import { SignatureV4 } from '@smithy/signature-v4';
import { connectionProperties, type S3Target } from './s3-options.ts';
import { type RequestedObjects, type RequestSigner, readRequest, UnsignableRequestError } from './signable-request.ts';
import { refusesUnsignedHeaders } from './unsigned-headers.ts';

const PAYLOAD = 'x-amz-content-sha256';
/**
 * The headers that the signature covers besides the host. A client may vary others, such as Range, under one signature.
 */
const SIGNED = /^(?:x-amz-.*|content-md5|if-none-match)$/;

/** The payload hash for a body that the client may still choose, with trailing checksums if it declares them. */
const unsigned = (headers: ReadonlyMap<string, string>): string =>
  headers.has('x-amz-trailer') ? 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' : 'UNSIGNED-PAYLOAD';

const keyOf = ({ locations }: RequestedObjects, { bucket }: S3Target): string =>
  locations[0]!.slice(`s3://${bucket}/`.length);

const copiesAnything = () =>
  new UnsignableRequestError(
    "The request can't be signed: this store accepts headers that a signature doesn't cover, so a signed request for a new file could copy any other file. Use temporary credentials or a key of your own to write.",
  );

/** Signs requests to the bucket with the service's own key (AWS signature version 4), so that clients need no key. */
export function requestSigner(client: S3Client, target: S3Target): RequestSigner {
  const { region } = target;
  const { credentials, sha256 } = client.config;
  const signer = new SignatureV4({ service: 's3', region, credentials, sha256, uriEscapePath: false });
  let refusing: Promise<boolean> | null = null;
  /** Tests the store at the first request to write, and again if it didn't respond. */
  const refuses = (key: string): Promise<boolean> => {
    refusing ??= refusesUnsignedHeaders(client, target, key).catch((error: unknown) => {
      refusing = null;
      throw error;
    });
    return refusing;
  };
  return {
    properties: connectionProperties(target),
    read: (request) => readRequest(request, target).objects,
    async sign(request, now) {
      const { objects, parts, headers, body } = readRequest(request, target);
      if (objects.access === 'write' && !(await refuses(`${keyOf(objects, target)}.svc-probe`))) throw copiesAnything();
      const signedHeaders = new Map([...headers].filter(([name]) => SIGNED.test(name)));
      // The body that was checked must be the body that is sent.
      if (body !== null) signedHeaders.set(PAYLOAD, createHash('sha256').update(body).digest('hex'));
      else if (!signedHeaders.has(PAYLOAD)) signedHeaders.set(PAYLOAD, unsigned(headers));
      // Files are written once: even a caller with write permission can't replace a file that a snapshot refers to.
      if (parts.creates) signedHeaders.set('if-none-match', '*');
      const { protocol, hostname, port, method, path, query } = parts;
      const host = port === undefined ? hostname : `${hostname}:${port}`;
      const at = { protocol, hostname, ...(port === undefined ? {} : { port }), method, path, query };
      const signed = await signer.sign(
        { ...at, headers: { host, ...Object.fromEntries(signedHeaders) } },
        { signingDate: now },
      );
      // The client already sends its own headers and would send repeated ones twice.
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
