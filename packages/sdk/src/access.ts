import type { CallOptions, Page, Requester } from './request.ts';
import type { AnswerOf, ItemOf } from './routes.ts';
import { split } from './split.ts';

export type Me = AnswerOf<'access.me'>;
/** A token text, shown once, and the end of its life (null: none). */
export type MintedToken = AnswerOf<'access.signIn'>;

/** Who can do something, and through what. */
export type Holder = ItemOf<'access.who'>;

/** The action on the object that the names mean; without names on the instance. */
export interface WhoOptions extends CallOptions {
  action: string;
  environment?: string | undefined;
  namespace?: string | undefined;
  table?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** Who one is, and who may do what. */
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

  /** Changes one's own password, which ends one's other sessions. @throws InvalidRequest when `current` is not it */
  changePassword(current: string, password: string, options: CallOptions = {}): Promise<void> {
    return this.#call.request('access.changePassword', { ...options, body: { current_password: current, password } });
  }

  /** Who can do something on an object, a page at a time. */
  whoPage(options: WhoOptions): Promise<Page<Holder>> {
    const { call, rest } = split(options);
    return this.#call.page('access.who', { ...call, query: rest });
  }

  who(options: WhoOptions): AsyncGenerator<Holder, void, undefined> {
    const { call, rest } = split(options);
    return this.#call.iterate('access.who', { ...call, query: rest });
  }
}
