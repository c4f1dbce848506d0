// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import type { SqlEndpointStatus } from './records.ts';

/** The endpoint for clients of the PostgreSQL protocol. */
export class SqlEndpoint extends Resource {
  /**
   * Get the address at which clients of the PostgreSQL protocol connect. `address` is `null` while the endpoint is off.
   */
  get(options: CallOptions = {}): Promise<SqlEndpointStatus> {
    return this.call.request('sqlEndpoint.get', options);
  }
}
