import type { Deploy } from './records.ts';
import type { CallOptions, Page, Requester } from './request.ts';
import type { BodyOf } from './routes.ts';
import { split } from './split.ts';
import type { UploadBody } from './transport.ts';
import { type WaitOptions, waitUntilFinished } from './wait.ts';

export interface DeployFilters extends CallOptions {
  repository?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

export class Deploys {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  /** Uploads a working folder as a tar.gz; `create` takes the returned `bundle_id`. */
  uploadBundle(env: string, tarGz: UploadBody, options: CallOptions = {}): Promise<{ bundle_id: string }> {
    const upload = { params: { env }, body: tarGz, contentType: 'application/gzip' };
    return this.#call.request('deploys.uploadBundle', { ...options, ...upload });
  }

  /** Starts a deploy and returns immediately; a rejected deploy gets the status `failed`. */
  create(env: string, body: BodyOf<'deploys.create'>, options: CallOptions = {}): Promise<Deploy> {
    return this.#call.request('deploys.create', { ...options, params: { env }, body });
  }

  /** With `wait` (0 to 60 seconds), returns as soon as the deploy has finished. */
  get(env: string, id: string, options: CallOptions & { wait?: number | undefined } = {}): Promise<Deploy> {
    const { call, rest } = split(options);
    return this.#call.request('deploys.get', { ...call, params: { env, id }, query: rest });
  }

  /** Waits until the deploy has finished, whatever its status. */
  wait(env: string, id: string, options: WaitOptions<Deploy> = {}): Promise<Deploy> {
    return waitUntilFinished(this.#call, 'deploy', (call) => this.get(env, id, call), options);
  }

  /** Returns the first page. */
  async list(env: string, filters: DeployFilters = {}): Promise<Deploy[]> {
    return (await this.listPage(env, filters)).items;
  }

  /** Newest first. */
  listPage(env: string, filters: DeployFilters = {}): Promise<Page<Deploy>> {
    const { call, rest } = split(filters);
    return this.#call.page('deploys.list', { ...call, params: { env }, query: rest });
  }

  iter(env: string, filters: DeployFilters = {}): AsyncGenerator<Deploy, void, undefined> {
    const { call, rest } = split(filters);
    return this.#call.iterate('deploys.list', { ...call, params: { env }, query: rest });
  }
}
