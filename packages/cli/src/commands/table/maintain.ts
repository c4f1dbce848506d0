import { boolean, integer, string } from '@oclif/core/flags';
import type { Maintenance } from '@svc/sdk';
import { envFlag, tableArg } from '../../arguments/flags.ts';
import { workError } from '../../cli-error.ts';
import { count, plural } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';
import { withProgress } from '../../terminal/progress.ts';

export default class TableMaintain extends SvcCommand<typeof TableMaintain> {
  static override summary = 'Compact a managed table, expire old snapshots and remove unused files';
  static override description =
    'Without options, only unused files are removed. The rows stay the same. You can no longer read or roll back to an expired snapshot.';
  static override examples = [
    'svc table maintain sales.orders --compact --env dev',
    'svc table maintain sales.orders --compact --expire-snapshots-older-than 30 --env dev',
    'svc table maintain sales.orders --compact --sort-by customer_id --sort-by ordered_at --env dev',
  ];
  static override args = { table: tableArg() };
  static override flags = {
    ...envFlag,
    compact: boolean({ description: 'merge small files and rewrite files with deletes' }),
    'expire-snapshots-older-than': integer({
      description: 'age in days above which snapshots expire',
      helpValue: 'DAYS',
      min: 0,
      max: 3650,
    }),
    'sort-by': string({
      description: 'column by which --compact sorts the rows of all data files, so that queries skip more of them',
      helpValue: 'COLUMN',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'bloom-filter': string({
      description: 'column for which --compact writes bloom filters into all data files; the files grow',
      helpValue: 'COLUMN',
      multiple: true,
      multipleNonGreedy: true,
    }),
    wait: boolean({ description: 'wait until it finishes (default: on)', default: true, allowNo: true }),
  };

  async run(): Promise<void> {
    const { table } = this.args;
    const {
      compact,
      wait,
      'expire-snapshots-older-than': days,
      'sort-by': sortBy,
      'bloom-filter': filters,
    } = this.flags;
    const started = await this.client.tables.maintain(this.environment, table, {
      compact,
      expireSnapshotsOlderThanDays: days,
      sortBy,
      bloomFilters: filters,
    });
    if (!wait) return this.done(started, `Queued the maintenance ${started.id} of ${table}.`);
    const poll = () => this.client.maintenance.wait(this.environment, started.id);
    const finished = await withProgress(this.io, () => `Maintaining ${table}`, poll);
    this.done(finished, sentence(finished));
    if (finished.status !== 'succeeded')
      throw workError(finished.error?.detail ?? `The maintenance was ${finished.status}.`, finished.error?.remedy);
  }
}

function sentence({ status, table, result }: Maintenance): string {
  if (status !== 'succeeded' || result === null) return `The maintenance of ${table} ${status}.`;
  const { compacted_files: read, new_files: written, expired_snapshots: snapshots, removed_files: removed } = result;
  const parts = [
    read > 0 ? `compacted ${plural(read, 'file')} into ${count(written)}` : null,
    snapshots > 0 ? `expired ${plural(snapshots, 'snapshot')}` : null,
    removed > 0 ? `removed ${plural(removed, 'unused file')}` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? `${table} needed no maintenance.` : `Maintained ${table}: ${parts.join(', ')}.`;
}
