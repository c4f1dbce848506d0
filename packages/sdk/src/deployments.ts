import type { Deployment } from './records.ts';
import type { CallOptions, Requester } from './request.ts';
import { split } from './split.ts';

/** The deployments of an environment, each named by its repository. */
export class Deployments {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  list(env: string, options: CallOptions = {}): Promise<Deployment[]> {
    return this.#call.request('deploys.listDeployments', { ...options, params: { env } });
  }

  /** Binds the service account that scheduled runs act as; null unbinds it (DEPLOY-11). */
  setRunAs(env: string, repository: string, principal: string | null, options: CallOptions = {}): Promise<Deployment> {
    return this.#call.request('deploys.setRunAs', { ...options, params: { env, repository }, body: { principal } });
  }

  /** Activates an earlier project version (default: the previous one). */
  rollback(
    env: string,
    repository: string,
    options: CallOptions & { project_version_id?: string | undefined } = {},
  ): Promise<Deployment> {
    const { call, rest } = split(options);
    const { project_version_id: version } = rest;
    const body = version === undefined ? {} : { project_version_id: version };
    return this.#call.request('deploys.rollback', { ...call, params: { env, repository }, body });
  }

  /** Removes the deployment and its jobs; its tables stay. */
  undeploy(env: string, repository: string, options: CallOptions = {}): Promise<void> {
    return this.#call.request('deploys.undeploy', { ...options, params: { env, repository } });
  }
}
