import { lookup as systemLookup } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isForbidden } from '@svc/core/addresses';
import { ApiError, invalid } from '@svc/core/errors';
import { isAllowedUrl } from '@svc/core/writes';
import type { Context } from '../http/context.ts';
import { withTimeouts } from '../http/request/body-timeouts.ts';
import { clientGone } from '../http/response/client-gone.ts';
import { checkedLookup } from '../outgoing/checked-lookup.ts';

const AT = { parameter: 'url' };
const ANSWER_MS = 30_000;
/** A server, unlike a pipe, doesn't pause for long. */
const TIMEOUTS = { idleMs: 60_000, graceMs: 60_000, bytesPerSecond: 10_000 };

/** A file that the service reads for the caller. */
export interface RemoteFile {
  url: string;
  /** So many bytes are enough; the rest isn't read. */
  enough?: number;
  /** Aborted when the caller has left. */
  signal: AbortSignal;
}

/** @throws ApiError `invalid-request` if the operator doesn't allow the URL (TABLE-21) */
export function requireAllowedUrl({ deps }: Context, url: string | undefined): void {
  if (url !== undefined && !isAllowedUrl(url, deps.settings.loadUrls))
    throw invalid(AT, "isn't below a URL that the operator allows with SVC_LOADS__URLS");
}

/** The file of a request, which is read until its caller leaves. */
export function remoteFile({ res }: Context, url: string, enough?: number): RemoteFile {
  return { url, signal: clientGone(res), ...(enough === undefined ? {} : { enough }) };
}

/** The bytes of the file. Redirects aren't followed: they could lead to a URL that isn't allowed. */
export async function* remotePieces(
  { url, enough = Number.POSITIVE_INFINITY, signal }: RemoteFile,
  lookup: typeof systemLookup = systemLookup,
): AsyncGenerator<Buffer> {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), ANSWER_MS);
  try {
    const answer = await get(new URL(url), lookup, AbortSignal.any([stop.signal, signal]));
    clearTimeout(late);
    if (answer.statusCode !== 200) throw refused(answer.statusCode!);
    let bytes = 0;
    for await (const piece of withTimeouts(answer, TIMEOUTS)) {
      yield piece;
      bytes += piece.length;
      if (bytes >= enough) return;
    }
  } catch (error) {
    if (signal.aborted)
      throw new ApiError('malformed-request', 'The caller left. Nothing was changed.', { cause: error });
    throw explained(error, stop.signal.aborted);
  } finally {
    clearTimeout(late);
    stop.abort();
  }
}

/** A name is resolved once, in the lookup that the connection itself uses, because it could lead to another address later. */
function get(url: URL, lookup: typeof systemLookup, signal: AbortSignal): Promise<IncomingMessage> {
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && isForbidden(address)) throw forbidden();
  const request = url.protocol === 'http:' ? requestHttp : requestHttps;
  const checked = checkedLookup(lookup, { allowed: (ip) => !isForbidden(ip), refused: forbidden });
  return new Promise((done, fail) => {
    request(url, { lookup: checked, agent: false, signal }, done)
      // Without a listener, Node closes the connection and emits nothing else.
      .on('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        fail(refused(statusCode!));
      })
      .on('error', fail)
      .end();
  });
}

const forbidden = () => invalid(AT, 'leads to a link-local or metadata address, which svc never connects to');

const refused = (status: number) =>
  invalid(
    AT,
    `can't be read: it returned ${status}${status >= 300 && status < 400 ? ", and redirects aren't followed" : ''}`,
  );

/** The reason of a failed connection, without the addresses that its message contains. */
function explained(error: unknown, isLate: boolean): unknown {
  if (isLate) return invalid(AT, `can't be read: no response within ${ANSWER_MS / 1000} s`);
  if (error instanceof ApiError) return error;
  const { code } = error as { code?: string };
  return invalid(AT, `can't be read: the connection failed${code === undefined ? '' : ` (${code})`}`);
}
