// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import { split } from '../split.ts';
import type {
  AddedSecondFactor,
  KeyEnrolment,
  RecoveryCodes,
  SecondFactor,
  SecondFactorList,
  TotpEnrolment,
} from './records.ts';

/** Your second factors, for signing in with a password. */
export class SecondFactors extends Resource {
  /** Get your second factors and how many recovery codes are left. */
  list(options: CallOptions = {}): Promise<SecondFactorList> {
    return this.call.request('secondFactors.list', options);
  }

  /** Start to add an authenticator app. */
  startTotp(options: CallOptions = {}): Promise<TotpEnrolment> {
    return this.call.request('secondFactors.startTotp', options);
  }

  /** Start to add a security key or passkey in a browser. */
  startSecurityKey(options: CallOptions = {}): Promise<KeyEnrolment> {
    return this.call.request('secondFactors.startSecurityKey', options);
  }

  /**
   * Add the second factor that was started. Your other sessions end with the first one. Takes `code` of an
   * authenticator app, or `credential` of a security key.
   */
  add(
    enrolment: string,
    name: string,
    options: CallOptions & Omit<BodyOf<'secondFactors.add'>, 'enrolment' | 'name'> = {},
  ): Promise<AddedSecondFactor> {
    const { call, rest } = split(options);
    const body = { enrolment, name, ...rest };
    return this.call.request('secondFactors.add', { ...call, body });
  }

  /** Rename a second factor. */
  rename(id: string, name: string, options: CallOptions = {}): Promise<SecondFactor> {
    return this.call.request('secondFactors.rename', { ...options, params: { id }, body: { name } });
  }

  /** Remove a second factor. Removing the last one also ends your other sessions. */
  remove(id: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('secondFactors.remove', { ...options, params: { id } });
  }

  /** Replace your recovery codes. They are shown only once. */
  replaceRecoveryCodes(options: CallOptions = {}): Promise<RecoveryCodes> {
    return this.call.request('secondFactors.replaceRecoveryCodes', options);
  }
}
