import type { CallOptions, Page, Requester } from './request.ts';
import type { AnswerOf, ItemOf } from './routes.ts';
import { split } from './split.ts';

export type Me = AnswerOf<'access.me'>;
/** The token, shown once, and when it expires (null: never). */
export type MintedToken = AnswerOf<'access.signIn'>;

/** A principal that can perform an action, and the grants that allow it. */
export type Holder = ItemOf<'access.who'>;

/** The action and the object; without names, the instance. */
export interface WhoOptions extends CallOptions {
  action: string;
  environment?: string | undefined;
  namespace?: string | undefined;
  table?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The caller's identity, and the access of others. */
export class Access {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  /** The principal that the client's token belongs to. */
  me(options: CallOptions = {}): Promise<Me> {
    return this.#call.request('access.me', options);
  }

  /** Returns a session token for a name and password. @throws Unauthorized, TooManyRequests */
  signIn(name: string, password: string, options: CallOptions = {}): Promise<MintedToken> {
    return this.#call.request('access.signIn', { ...options, body: { name, password } });
  }

  /** Changes the caller's password and ends the caller's other sessions. @throws InvalidRequest if `current` is wrong */
  changePassword(current: string, password: string, options: CallOptions = {}): Promise<void> {
    return this.#call.request('access.changePassword', { ...options, body: { current_password: current, password } });
  }

  /** Lists the principals that can perform an action on an object, page by page. */
  whoPage(options: WhoOptions): Promise<Page<Holder>> {
    const { call, rest } = split(options);
    return this.#call.page('access.who', { ...call, query: rest });
  }

  who(options: WhoOptions): AsyncGenerator<Holder, void, undefined> {
    const { call, rest } = split(options);
    return this.#call.iterate('access.who', { ...call, query: rest });
  }
}
