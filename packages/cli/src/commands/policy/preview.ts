import { integer, string } from '@oclif/core/flags';
import type { TablePreview } from '@svc/sdk';
import { envFlag, tableArg } from '../../arguments/flags.ts';
import { requireSuccess, showResults } from '../../queries/results.ts';
import { watchQuery } from '../../queries/watch-query.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class PolicyPreview extends SvcCommand<typeof PolicyPreview> {
  static override summary = 'Show the first rows of a table as another principal sees them';
  static override description =
    'Requires MANAGE_POLICY, READ_TABLE and SUBMIT_QUERY, and no policy on the table may apply to you. The audit log records who saw the table as whom.';
  static override examples = ['svc policy preview sales.orders --principal ann --env dev'];
  static override args = { table: tableArg() };
  static override flags = {
    ...envFlag,
    principal: string({ description: 'principal whose view of the table to show', helpValue: 'NAME', required: true }),
    limit: integer({ description: 'rows to show (default: 100)', helpValue: 'N' }),
  };

  async run(): Promise<void> {
    const { principal, limit } = this.flags;
    const preview = await this.client.tables.previewAs(this.environment, this.args.table, { principal, limit });
    const id = preview.query_id;
    if (id === null) {
      this.done(preview, `${preview.principal} can't read ${preview.table}: ${preview.reason}.`);
      return;
    }
    for (const line of notesOf(preview)) this.note(line);
    const query = await watchQuery(this.io, async ({ signal, onProgress }) => {
      const watched = this.io.interactive ? { onProgress } : {};
      try {
        return await this.client.queries.wait(this.environment, id, { signal, ...watched });
      } finally {
        if (signal.aborted) await this.client.queries.cancel(this.environment, id).catch(() => undefined);
      }
    });
    await requireSuccess(query);
    await showResults(this, query, { format: 'table', file: undefined, limit: query.row_count || undefined });
  }
}

/** Who the rows are for, and why some are missing. */
function notesOf({ principal, active, row_filters: filters, column_masks: masks }: TablePreview): string[] {
  const via = ({ group }: { group: string | null }) => (group === null ? '' : ` (group ${group})`);
  return [
    ...(active ? [] : [`${principal} is deactivated: these are the rows that its grants would allow.`]),
    ...filters.map((filter) => `Row filter${via(filter)}: ${filter.predicate}`),
    ...masks.map((mask) => `Mask of ${mask.column}${via(mask)}: ${mask.expression}`),
    ...(filters.length + masks.length === 0 ? [`No policy of the table applies to ${principal}.`] : []),
  ];
}
