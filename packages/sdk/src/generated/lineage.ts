// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import { split } from '../split.ts';
import type { TableLineage } from './records.ts';

/** The tables that a table is built from, and those that are built from it. */
export class Lineage extends Resource {
  /**
   * Get the tables that a table is built from, and those that are built from it. Shows the tables that the caller can
   * read, and with READ_ENVIRONMENT the assets of deployed projects.
   */
  get(
    env: string,
    table: string,
    options: CallOptions & { direction?: string | undefined; depth?: number | undefined } = {},
  ): Promise<TableLineage> {
    const { call, rest } = split(options);
    const query = { table, ...rest };
    return this.call.request('lineage.get', { ...call, params: { env }, query });
  }
}
