import { integer, string } from '@oclif/core/flags';
import type { TableLineage } from '@svc/sdk';
import { envFlag, tableArg } from '../arguments/flags.ts';
import { time } from '../output/format.ts';
import type { TableColumn } from '../output/table.ts';
import { SvcCommand } from '../svc-command.ts';

type Row = TableLineage['upstream'][number] & { direction: string; built: string | null };

const COLUMNS: readonly TableColumn<Row>[] = [
  { header: 'direction', cell: ({ direction }) => direction },
  { header: 'depth', cell: ({ depth }) => String(depth), right: true },
  { header: 'table', cell: ({ name }) => name },
  { header: 'kind', cell: ({ kind }) => kind ?? 'not built', hide: 2 },
  { header: 'repository', cell: ({ repository }) => repository, hide: 3 },
  { header: 'built', cell: ({ built }) => time(built), hide: 1 },
];

export default class Lineage extends SvcCommand<typeof Lineage> {
  static override summary = 'Show the tables that a table is built from, and those that are built from it';
  static override description =
    'Shows what deployed assets declare and what the latest builds read, as far as you can see the tables. The time is when the connection to the previous step was last built; -o json also has runs, project versions, snapshots and columns.';
  static override examples = [
    'svc lineage sales.orders --env dev',
    'svc lineage sales.orders --env dev --direction upstream --depth 1',
    'svc lineage sales.orders --env dev --column total',
  ];
  static override args = { table: tableArg() };
  static override flags = {
    ...envFlag,
    direction: string({
      description: 'which tables to show',
      options: ['both', 'upstream', 'downstream'],
      default: 'both',
    }),
    depth: integer({ description: 'number of steps, 1 to 50', helpValue: 'N', default: 10, min: 1, max: 50 }),
    column: string({
      description: 'show the columns that this column of the table was computed from, and those computed from it',
      helpValue: 'COLUMN',
    }),
  };

  async run(): Promise<void> {
    const { direction, depth, column } = this.flags;
    const lineage = await this.client.lineage.get(this.environment, this.args.table, { direction, depth });
    if (this.json) return this.printJson(lineage);
    if (column === undefined) await this.#showTables(lineage);
    else await this.#showColumn(lineage, column);
    if (lineage.truncated) this.note('There is more: use --depth, or start at another table.');
  }

  async #showTables(lineage: TableLineage): Promise<void> {
    this.record(lineage, [
      ['table', lineage.table],
      ['kind', lineage.kind ?? 'not built'],
      ['repository', lineage.repository],
    ]);
    this.print('');
    await this.list(rowsOf(lineage), COLUMNS, 'No other tables that you can see.');
  }

  async #showColumn(lineage: TableLineage, column: string): Promise<void> {
    const { columnsOf, LINEAGE_COLUMNS } = await import('../texts/lineage-columns.ts');
    const { rows, unknown } = columnsOf(lineage, column);
    await this.list(rows, LINEAGE_COLUMNS, `No other columns that you can see: ${lineage.table}.${column}`);
    if (unknown.length > 0) this.note(`The columns are unknown between ${lineage.table} and ${unknown.join(', ')}.`);
  }
}

function rowsOf({ upstream, downstream, edges }: TableLineage): Row[] {
  const built = (table: string, end: 'input' | 'output'): string | null =>
    edges
      .filter((edge) => edge[end] === table && edge.built_at !== null)
      .map((edge) => edge.built_at!)
      .sort()
      .at(-1) ?? null;
  return [
    ...upstream.map((table) => ({ ...table, direction: 'upstream', built: built(table.name, 'input') })),
    ...downstream.map((table) => ({ ...table, direction: 'downstream', built: built(table.name, 'output') })),
  ];
}
