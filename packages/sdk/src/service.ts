import type { Worker } from './records.ts';
import type { CallOptions } from './request.ts';
import { Resource } from './resource.ts';

export interface ServiceState {
  /** Whether the service accepts requests. */
  ready: boolean;
  /** Whether the service can reach its storage; null if it doesn't report it. */
  storage: boolean | null;
  /** The versions from `/version`, such as `service` and `schema`; null if it doesn't report them. */
  version: Record<string, unknown> | null;
  /** The service's clock from the response's date, in whole seconds; null without one. */
  time: Date | null;
}

/** The service itself. */
export class Service extends Resource {
  /** Returns readiness, versions and clock. @throws ConnectionError if the service can't be reached */
  async state(options: CallOptions = {}): Promise<ServiceState> {
    const ready = await this.call.probe('/readyz', options);
    const storage = storageOf(await this.call.probe('/readyz/storage', options));
    const version = await this.call.probe('/version', options);
    return {
      ready: ready.status === 200,
      storage,
      version: version.status === 200 ? parsed(version.text) : null,
      time: ready.date === null ? null : new Date(ready.date),
    };
  }

  /** Lists the running workers by host, and the limits that they enforce on Python tasks. Needs MANAGE_ENVIRONMENT on the instance. */
  workers(options: CallOptions = {}): Promise<Worker[]> {
    return this.call.request('workers.list', options);
  }
}

// An older service responds with 404, as for any unknown path.
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
