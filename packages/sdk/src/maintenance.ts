import type { Maintenance } from './records.ts';
import type { CallOptions, Requester } from './request.ts';
import { split } from './split.ts';
import { untilEnded, type WaitOptions } from './wait.ts';

/** Maintenance of tables, which `client.tables.maintain` begins. */
export class Maintenances {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  /** With `wait` (0 to 60 seconds) the answer comes as soon as it has ended. */
  get(env: string, id: string, options: CallOptions & { wait?: number | undefined } = {}): Promise<Maintenance> {
    const { call, rest } = split(options);
    return this.#call.request('maintenance.get', { ...call, params: { env, id }, query: rest });
  }

  /** The maintenance once it has ended, however it ended. */
  wait(env: string, id: string, options: WaitOptions<Maintenance> = {}): Promise<Maintenance> {
    return untilEnded(this.#call, 'maintenance', (call) => this.get(env, id, call), options);
  }
}
