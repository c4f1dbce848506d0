// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import { split } from '../split.ts';
import type { IssueTokenOptions } from './options.ts';
import type { ExchangedToken, IssuedToken, MintedToken, TokenRecord } from './records.ts';

/** Tokens of principals. */
export class Tokens extends Resource {
  /** Issue a token. It is shown only once. */
  issue(principal: string, name: string, options: IssueTokenOptions = {}): Promise<IssuedToken> {
    const { call, rest } = split(options);
    const body = { name, ...rest } as BodyOf<'access.issueToken'>;
    return this.call.request('access.issueToken', { ...call, params: { name: principal }, body });
  }

  /** List the active tokens of a principal. */
  list(principal: string, options: CallOptions = {}): Promise<TokenRecord[]> {
    return this.call.request('access.listTokens', { ...options, params: { name: principal } });
  }

  /** Replace a token with a new one, which is shown only once. The old one works for a while longer. */
  rotate(id: string, options: CallOptions & { overlap_seconds?: number | undefined } = {}): Promise<IssuedToken> {
    const { call, rest } = split(options);
    return this.call.request('access.rotateToken', { ...call, params: { id }, body: rest });
  }

  /** Revoke a token. */
  revoke(id: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('access.revokeToken', { ...options, params: { id } });
  }

  /**
   * Mint a task token that is valid for at most one hour. It works in one environment. A token of another principal
   * requires the ADMIN role.
   */
  mintTask(body: BodyOf<'access.mintTaskToken'> = {}, options: CallOptions = {}): Promise<MintedToken> {
    return this.call.request('access.mintTaskToken', { ...options, body });
  }

  /** Exchange a token of a CI system or cluster for a token of a service account. The token is valid for an hour. */
  exchange(
    subjectToken: string,
    options: CallOptions & Omit<BodyOf<'workloadIdentities.exchange'>, 'subject_token'> = {},
  ): Promise<ExchangedToken> {
    const { call, rest } = split(options);
    const body = { subject_token: subjectToken, ...rest };
    return this.call.request('workloadIdentities.exchange', { ...call, body });
  }
}
