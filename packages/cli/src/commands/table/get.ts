import { envFlag, tableArg } from '../../arguments/flags.ts';
import { bytes, count, time } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';
import { expiresSoonText, legalHoldText } from '../../texts/retention-text.ts';

export default class TableGet extends SvcCommand<typeof TableGet> {
  static override summary = 'Show a table and its columns';
  static override examples = ['svc table get sales.orders --env dev'];
  static override args = { table: tableArg() };
  static override flags = { ...envFlag };

  async run(): Promise<void> {
    const table = await this.client.tables.get(this.environment, this.args.table);
    this.record(table, [
      ['table', `${table.namespace}.${table.name}`],
      ['id', table.id],
      ['kind', table.kind],
      ['description', table.description],
      ['owner', table.owner],
      ...(table.identifier_fields?.length ? ([['identified by', table.identifier_fields.join(', ')]] as const) : []),
      ['location', table.location],
      ['rows', count(table.row_count)],
      ['size', bytes(table.size_bytes)],
      ['created', time(table.created_at)],
      ['updated', time(table.updated_at)],
      [
        'expires',
        table.expires_at === null ? (table.hold == null ? 'never' : 'not while it is on hold') : time(table.expires_at),
      ],
      ...(table.hold == null ? [] : ([['hold', legalHoldText(table.hold)]] as const)),
    ]);
    if (this.json) return;
    if (table.expires_soon) this.note(expiresSoonText(this.environment, table));
    if (table.columns.length === 0) return;
    this.print('');
    const columns = [
      { header: 'column', cell: (column: (typeof table.columns)[number]) => column.name },
      { header: 'type', cell: (column: (typeof table.columns)[number]) => column.type },
      {
        header: 'null',
        cell: (column: (typeof table.columns)[number]) => (column.nullable ? 'yes' : 'never'),
        hide: 2,
      },
      { header: 'description', cell: (column: (typeof table.columns)[number]) => column.description, hide: 1 },
    ];
    await this.list(table.columns, columns, '');
  }
}
