import type { MintedToken } from './access.ts';
import type { TokenRecord } from './records.ts';
import type { CallOptions, Requester } from './request.ts';
import type { AnswerOf } from './routes.ts';
import { split } from './split.ts';

/** A new token; its text is returned only once. */
export type IssuedToken = AnswerOf<'access.issueToken'>;

/** Tokens of principals. */
export class Tokens {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  issue(
    principal: string,
    name: string,
    options: CallOptions & { expires_at?: Date | string | undefined } = {},
  ): Promise<IssuedToken> {
    const { call, rest } = split(options);
    const { expires_at } = rest;
    const end = expires_at instanceof Date ? expires_at.toISOString() : expires_at;
    const body = { name, ...(end === undefined ? {} : { expires_at: end }) };
    return this.#call.request('access.issueToken', { ...call, params: { name: principal }, body });
  }

  /** Lists valid tokens. */
  list(principal: string, options: CallOptions = {}): Promise<TokenRecord[]> {
    return this.#call.request('access.listTokens', { ...options, params: { name: principal } });
  }

  revoke(id: string, options: CallOptions = {}): Promise<void> {
    return this.#call.request('access.revokeToken', { ...options, params: { id } });
  }

  /** Mints a task token for one environment, valid for at most an hour; for another principal it needs the ADMIN role. */
  mintTask(body: { environment?: string; principal?: string } = {}, options: CallOptions = {}): Promise<MintedToken> {
    return this.#call.request('access.mintTaskToken', { ...options, body });
  }
}
