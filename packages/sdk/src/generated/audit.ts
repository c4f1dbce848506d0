// Generated from the contract by "npm run generate". Do not edit.
import type { Page } from '../request.ts';
import { Resource } from '../resource.ts';
import { split } from '../split.ts';
import type { AuditFilters } from './options.ts';
import type { AuditEvent } from './records.ts';

/** The audit log. */
export class Audit extends Resource {
  /**
   * List audit events, newest first. `since` is inclusive, `until` is exclusive. `namespace` needs `environment`, and
   * `table` needs `namespace`; both are the names that the events recorded. Returns the first page.
   */
  async list(filters: AuditFilters = {}): Promise<AuditEvent[]> {
    return (await this.listPage(filters)).items;
  }

  /**
   * List audit events, newest first. `since` is inclusive, `until` is exclusive. `namespace` needs `environment`, and
   * `table` needs `namespace`; both are the names that the events recorded. Returns one page.
   */
  listPage(filters: AuditFilters = {}): Promise<Page<AuditEvent>> {
    const { call, rest } = split(filters);
    return this.call.page('audit.listEvents', { ...call, query: rest });
  }

  /**
   * List audit events, newest first. `since` is inclusive, `until` is exclusive. `namespace` needs `environment`, and
   * `table` needs `namespace`; both are the names that the events recorded. Iterates over all pages.
   */
  iter(filters: AuditFilters = {}): AsyncGenerator<AuditEvent, void, undefined> {
    const { call, rest } = split(filters);
    return this.call.iterate('audit.listEvents', { ...call, query: rest });
  }
}
