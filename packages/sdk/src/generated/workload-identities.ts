// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import { split } from '../split.ts';
import type { WorkloadIdentity } from './records.ts';

/** Workloads that sign in as a service account with a token of their CI system or cluster. */
export class WorkloadIdentities extends Resource {
  /** Let a workload sign in as a service account with a token of its CI system or cluster. */
  create(
    principal: string,
    issuer: string,
    audience: string,
    subject: string,
    options: CallOptions & Omit<BodyOf<'workloadIdentities.create'>, 'issuer' | 'audience' | 'subject'> = {},
  ): Promise<WorkloadIdentity> {
    const { call, rest } = split(options);
    const body = { issuer, audience, subject, ...rest };
    return this.call.request('workloadIdentities.create', { ...call, params: { name: principal }, body });
  }

  /** List the workloads that sign in as a service account. */
  list(principal: string, options: CallOptions = {}): Promise<WorkloadIdentity[]> {
    return this.call.request('workloadIdentities.list', { ...options, params: { name: principal } });
  }

  /** Stop a workload from signing in, and revoke the tokens that it got. */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('workloadIdentities.delete', { ...options, params: { id } });
  }
}
