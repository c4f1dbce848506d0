import type { ProjectVersion } from './records.ts';
import type { CallOptions, Requester } from './request.ts';

/** Project versions, which deploys create. */
export class ProjectVersions {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  get(env: string, id: string, options: CallOptions = {}): Promise<ProjectVersion> {
    return this.#call.request('deploys.getProjectVersion', { ...options, params: { env, id } });
  }
}
