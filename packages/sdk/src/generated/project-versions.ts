// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions, Page } from '../request.ts';
import { Resource } from '../resource.ts';
import { split } from '../split.ts';
import type { ProjectVersionFilters } from './options.ts';
import type { ProjectVersion, ProjectVersionSummary, VersionChanges } from './records.ts';

/** Project versions, which deploys create. */
export class ProjectVersions extends Resource {
  /** List project versions, newest first. `active` is the deployed one of its repository. Returns the first page. */
  async list(env: string, filters: ProjectVersionFilters = {}): Promise<ProjectVersionSummary[]> {
    return (await this.listPage(env, filters)).items;
  }

  /** List project versions, newest first. `active` is the deployed one of its repository. Returns one page. */
  listPage(env: string, filters: ProjectVersionFilters = {}): Promise<Page<ProjectVersionSummary>> {
    const { call, rest } = split(filters);
    return this.call.page('deploys.listProjectVersions', { ...call, params: { env }, query: rest });
  }

  /** List project versions, newest first. `active` is the deployed one of its repository. Iterates over all pages. */
  iter(env: string, filters: ProjectVersionFilters = {}): AsyncGenerator<ProjectVersionSummary, void, undefined> {
    const { call, rest } = split(filters);
    return this.call.iterate('deploys.listProjectVersions', { ...call, params: { env }, query: rest });
  }

  /** Get a project version. */
  get(env: string, id: string, options: CallOptions = {}): Promise<ProjectVersion> {
    return this.call.request('deploys.getProjectVersion', { ...options, params: { env, id } });
  }

  /**
   * Compare a project version with another one: assets, jobs, SQL and Python code. `against` is the version to compare
   * with (default: the one before). `sources` has the texts that you can read: with DEPLOY all, otherwise those of
   * tables that you can read.
   */
  compare(
    env: string,
    id: string,
    options: CallOptions & { against?: string | undefined } = {},
  ): Promise<VersionChanges> {
    const { call, rest } = split(options);
    return this.call.request('deploys.compareProjectVersion', { ...call, params: { env, id }, query: rest });
  }
}
