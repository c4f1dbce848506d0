import type { DroppedTable, EnvironmentSummary, ExpiringTable } from '@svc/sdk';
import { requiredArg } from '../../arguments/flags.ts';
import { bytes, count, time } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { type Fields, SvcCommand } from '../../svc-command.ts';

type RecentTable = EnvironmentSummary['recent_tables'][number];

const RECENT_COLUMNS: readonly TableColumn<RecentTable>[] = [
  { header: 'table', cell: ({ name }) => name },
  { header: 'kind', cell: ({ kind }) => kind, hide: 1 },
  { header: 'last write', cell: ({ last_write_at: at }) => time(at) },
  { header: 'last read', cell: ({ last_read_at: at }) => time(at), hide: 2 },
];

const EXPIRING_COLUMNS: readonly TableColumn<ExpiringTable>[] = [
  { header: 'table that expires', cell: ({ namespace, name }) => `${namespace}.${name}` },
  { header: 'expires', cell: ({ expires_at: at }) => time(at) },
];

const DROPPED_COLUMNS: readonly TableColumn<DroppedTable>[] = [
  { header: 'dropped table', cell: ({ namespace, name }) => `${namespace}.${name}` },
  { header: 'can be restored until', cell: ({ purge_after: at }) => time(at) },
];

export default class EnvSummary extends SvcCommand<typeof EnvSummary> {
  static override summary = 'Summarize an environment: runs, storage, and the tables that need attention';
  static override description =
    'Shows up to 10 tables that were read last, that expire soon, and that were dropped and can be restored, as far as you can read them.';
  static override examples = ['svc env summary dev'];
  static override args = { name: requiredArg('name of the environment') };

  async run(): Promise<void> {
    const summary = await this.client.environments.summary(this.args.name);
    if (this.json) return this.printJson(summary);
    this.record(summary, fieldsOf(summary));
    const { recent_tables: recent, expiring_tables: expiring, dropped_tables: dropped } = summary;
    await this.#part(recent, RECENT_COLUMNS);
    await this.#part(expiring, EXPIRING_COLUMNS);
    await this.#part(dropped, DROPPED_COLUMNS);
  }

  async #part<R>(rows: readonly R[], columns: readonly TableColumn<R>[]): Promise<void> {
    if (rows.length === 0) return;
    this.print('');
    await this.list(rows, columns, '');
  }
}

function fieldsOf({ environment, tables, runs, quotas, workers }: EnvironmentSummary): Fields {
  return [
    ['environment', environment],
    ['tables', count(tables)],
    ...(runs === null
      ? []
      : ([
          ['active runs', `${count(runs.running)} running, ${count(runs.queued)} queued`],
          ['last 24 hours', `${count(runs.succeeded)} succeeded, ${count(runs.failed)} failed`],
        ] as const)),
    ...(quotas === null
      ? []
      : ([
          [
            'queries',
            `${count(quotas.concurrent_queries.used)} running, ${count(quotas.concurrent_queries.waiting)} waiting`,
          ],
          ['storage', bytes(quotas.storage_bytes.used)],
        ] as const)),
    ...(workers === null ? [] : ([['workers', count(workers)]] as const)),
  ];
}
