import { timingSafeEqual } from 'node:crypto';
import { recent } from '@svc/core/recent';
import { hashToken } from '../access/hash-token.ts';

export interface ScrapeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Answers requests for the metrics by their `Authorization` header. Concurrent ones share one response.
 * @param options.token the bearer token that the operator has set, if any
 */
export function answerScrapes(options: {
  readonly token: string | undefined;
  readonly contentType: string;
  readonly collect: () => Promise<string>;
}): (authorization: string | undefined) => Promise<ScrapeResponse> {
  const { token, contentType, collect } = options;
  const collected = recent(collect, 0, () => performance.now());
  return async (authorization) => {
    if (hasBearerToken(token, authorization))
      return { status: 200, headers: { 'Content-Type': contentType }, text: await collected() };
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'WWW-Authenticate': 'Bearer' };
    return { status: 401, headers, text: 'Send the token of SVC_METRICS__TOKEN.\n' };
  };
}

function hasBearerToken(token: string | undefined, authorization: string | undefined): boolean {
  if (token === undefined) return true;
  const sent = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  // Hashes have equal lengths, and are compared in constant time.
  return sent !== undefined && timingSafeEqual(hashToken(sent), hashToken(token));
}
