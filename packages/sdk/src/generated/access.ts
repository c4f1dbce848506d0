// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions, Page } from '../request.ts';
import { Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import { split } from '../split.ts';
import type { WhoOptions } from './options.ts';
import type {
  BrowserSession,
  DeviceSignIn,
  DeviceSignInStatus,
  Holder,
  Me,
  MintedToken,
  SignInOptions,
} from './records.ts';

/** The caller, and who can access what. */
export class Access extends Resource {
  /**
   * Sign in with name and password. Returns the token of a session. Fails with `TooManyRequests` after several
   * attempts.
   */
  signIn(name: string, password: string, options: CallOptions = {}): Promise<MintedToken> {
    const body = { name, password };
    return this.call.request('access.signIn', { ...options, body });
  }

  /** Get how people can sign in. */
  signInOptions(options: CallOptions = {}): Promise<SignInOptions> {
    return this.call.request('access.signInOptions', options);
  }

  /** Start a sign-in with an identity provider that a person completes in a browser, on any device. */
  startDeviceSignIn(provider: string, options: CallOptions = {}): Promise<DeviceSignIn> {
    return this.call.request('access.startDeviceSignIn', { ...options, body: { provider } });
  }

  /**
   * Get the session of a sign-in that was started for a device, once a person has completed it. Fails once it was
   * declined, refused or has expired.
   */
  pollDeviceSignIn(handle: string, options: CallOptions = {}): Promise<DeviceSignInStatus> {
    return this.call.request('access.pollDeviceSignIn', { ...options, body: { handle } });
  }

  /** Get the principal of the credential. */
  me(options: CallOptions = {}): Promise<Me> {
    return this.call.request('access.me', options);
  }

  /**
   * Change your own password. Your other sessions end. Fails if `current` is wrong, and with `TooManyRequests` after
   * several attempts.
   */
  changePassword(current: string, password: string, options: CallOptions = {}): Promise<void> {
    const body = { current_password: current, password };
    return this.call.request('access.changePassword', { ...options, body });
  }

  /** Sign in with name and password in a browser, which gets a cookie. */
  openSession(name: string, password: string, options: CallOptions = {}): Promise<BrowserSession> {
    const body = { name, password };
    return this.call.request('access.openSession', { ...options, body });
  }

  /** Get the session of the browser. */
  session(options: CallOptions = {}): Promise<BrowserSession> {
    return this.call.request('access.session', options);
  }

  /** Sign out the browser. */
  closeSession(options: CallOptions = {}): Promise<void> {
    return this.call.request('access.closeSession', options);
  }

  /**
   * List the principals that are allowed an action on an object, and the grants that allow it. The default object is
   * the instance. Returns one page.
   */
  whoPage(options: WhoOptions): Promise<Page<Holder>> {
    const { call, rest } = split(options);
    return this.call.page('access.who', { ...call, query: rest });
  }

  /**
   * List the principals that are allowed an action on an object, and the grants that allow it. The default object is
   * the instance. Iterates over all pages.
   */
  who(options: WhoOptions): AsyncGenerator<Holder, void, undefined> {
    const { call, rest } = split(options);
    return this.call.iterate('access.who', { ...call, query: rest });
  }

  /**
   * Complete a sign-in with a second factor. Takes one of `code`, `assertion` and `recovery_code`. Returns the token of
   * a session.
   */
  completeSignIn(
    challenge: string,
    options: CallOptions & Omit<BodyOf<'secondFactors.completeSignIn'>, 'challenge'> = {},
  ): Promise<MintedToken> {
    const { call, rest } = split(options);
    const body = { challenge, ...rest };
    return this.call.request('secondFactors.completeSignIn', { ...call, body });
  }

  /** Complete a sign-in with a second factor in a browser, which gets a cookie. */
  completeSession(
    challenge: string,
    options: CallOptions & Omit<BodyOf<'secondFactors.completeSession'>, 'challenge'> = {},
  ): Promise<BrowserSession> {
    const { call, rest } = split(options);
    const body = { challenge, ...rest };
    return this.call.request('secondFactors.completeSession', { ...call, body });
  }

  /** Enter your password again, so that this session can change second factors for ten minutes. */
  confirmPassword(current: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('secondFactors.confirm', { ...options, body: { current_password: current } });
  }
}
