// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import type { ProjectVersion } from './records.ts';

/** Project versions, which deploys create. */
export class ProjectVersions extends Resource {
  /** Get a project version. */
  get(env: string, id: string, options: CallOptions = {}): Promise<ProjectVersion> {
    return this.call.request('deploys.getProjectVersion', { ...options, params: { env, id } });
  }
}
