import { integer } from '@oclif/core/flags';
import { envFlag, tableArg } from '../../arguments/flags.ts';
import { bytes, count, plural, time } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class TableHealth extends SvcCommand<typeof TableHealth> {
  static override summary = 'Show the last write and read of a table, its files and its readers';
  static override examples = ['svc table health sales.orders --env dev --days 90'];
  static override args = { table: tableArg() };
  static override flags = {
    ...envFlag,
    days: integer({
      description: 'number of days over which reads are counted (default: 30)',
      helpValue: 'N',
      min: 1,
      max: 3650,
    }),
  };

  async run(): Promise<void> {
    const health = await this.client.tables.health(this.environment, this.args.table, { days: this.flags.days });
    this.record(health, [
      ['table', health.table],
      ['last write', time(health.last_write_at)],
      ['last read', time(health.last_read_at)],
      ['rows', count(health.row_count)],
      ['size', bytes(health.size_bytes)],
      ['files', count(health.file_count)],
      ['small files', count(health.small_files)],
      ['snapshots', count(health.snapshots)],
    ]);
    if (this.json) return;
    this.print('');
    if (health.readers === null)
      return this.note('Only the owner and principals with MAINTAIN_TABLE can see the readers.');
    const columns = [
      {
        header: `reader, last ${plural(health.days, 'day')}`,
        cell: (reader: { principal: string }) => reader.principal,
      },
      { header: 'reads', cell: (reader: { reads: number }) => count(reader.reads), right: true },
      { header: 'last read', cell: (reader: { last_read_at: string }) => time(reader.last_read_at), hide: 1 },
    ];
    await this.list(
      health.readers,
      columns,
      `No principal has read the table in the last ${plural(health.days, 'day')}.`,
    );
  }
}
