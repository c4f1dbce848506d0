import type { Worker } from './records.ts';
import type { CallOptions, Requester } from './request.ts';

export interface ServiceState {
  /** Whether the service takes requests. */
  ready: boolean;
  /** Whether the service reaches its storage; null from one that does not say. */
  storage: boolean | null;
  /** What `/version` says, such as `service` and `schema`; null when it does not say. */
  version: Record<string, unknown> | null;
  /** The service's clock, from its answer's date; null without one. Whole seconds. */
  time: Date | null;
}

/** The service itself. */
export class Service {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  /** Whether it is there and ready, its versions and its clock. @throws ConnectionError when nothing answers */
  async state(options: CallOptions = {}): Promise<ServiceState> {
    const ready = await this.#call.probe('/readyz', options);
    const storage = storageOf(await this.#call.probe('/readyz/storage', options));
    const version = await this.#call.probe('/version', options);
    return {
      ready: ready.status === 200,
      storage,
      version: version.status === 200 ? parsed(version.text) : null,
      time: ready.date === null ? null : new Date(ready.date),
    };
  }

  /** The workers that run, by host, and what they enforce on Python tasks. Needs MANAGE_ENVIRONMENT on the instance. */
  workers(options: CallOptions = {}): Promise<Worker[]> {
    return this.#call.request('workers.list', options);
  }
}

// An older service answers 404, as any path that is none.
function storageOf({ status }: { status: number }): boolean | null {
  return status === 200 ? true : status === 503 ? false : null;
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' ? (body as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
