import type { CallOptions, Requester } from './request.ts';
import type { AnswerOf } from './routes.ts';

export type Me = AnswerOf<'access.me'>;
/** A token text, shown once, and the end of its life (null: none). */
export type MintedToken = AnswerOf<'access.signIn'>;

/** Who one is. */
export class Access {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  /** Whom the client's token belongs to. */
  me(options: CallOptions = {}): Promise<Me> {
    return this.#call.request('access.me', options);
  }

  /** A session token for a name and a password. @throws Unauthorized, TooManyRequests */
  signIn(name: string, password: string, options: CallOptions = {}): Promise<MintedToken> {
    return this.#call.request('access.signIn', { ...options, body: { name, password } });
  }
}
