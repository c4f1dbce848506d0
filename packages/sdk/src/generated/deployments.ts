// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import { split } from '../split.ts';
import type { Deployment } from './records.ts';

/** The deployments of an environment, each named by its repository. */
export class Deployments extends Resource {
  /** List deployments, by repository. */
  list(env: string, options: CallOptions = {}): Promise<Deployment[]> {
    return this.call.request('deploys.listDeployments', { ...options, params: { env } });
  }

  /** Set the service account that scheduled runs act as. `null` removes it. */
  setRunAs(env: string, repository: string, principal: string | null, options: CallOptions = {}): Promise<Deployment> {
    return this.call.request('deploys.setRunAs', { ...options, params: { env, repository }, body: { principal } });
  }

  /** Roll back to an earlier project version. The default is the previous one. */
  rollback(
    env: string,
    repository: string,
    options: CallOptions & { project_version_id?: string | undefined } = {},
  ): Promise<Deployment> {
    const { call, rest } = split(options);
    return this.call.request('deploys.rollback', { ...call, params: { env, repository }, body: rest });
  }

  /** Undeploy a repository. Its jobs are removed, its tables stay. */
  undeploy(env: string, repository: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('deploys.undeploy', { ...options, params: { env, repository } });
  }
}
