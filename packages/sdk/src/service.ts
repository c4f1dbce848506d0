import type { CallOptions, Requester } from './request.ts';

export interface ServiceState {
  /** Whether the service takes requests. */
  ready: boolean;
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
    const version = await this.#call.probe('/version', options);
    const body = version.status === 200 ? parsed(version.text) : null;
    return { ready: ready.status === 200, version: body, time: ready.date === null ? null : new Date(ready.date) };
  }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}
