import { boolean, integer } from '@oclif/core/flags';
import type { Maintenance } from '@svc/sdk';
import { envFlag, tableWord } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { workFailed } from '../../exit.ts';
import { count } from '../../output/format.ts';
import { during } from '../../terminal/progress.ts';

export default class TableMaintain extends SvcCommand<typeof TableMaintain> {
  static override summary = 'Compact a managed table, forget old snapshots, and remove files it does not need';
  static override description =
    'Without options it removes leftover files alone. The rows stay as they are; a snapshot that was forgotten cannot be read or rolled back to any more.';
  static override examples = [
    'svc table maintain sales.orders --compact --env dev',
    'svc table maintain sales.orders --compact --expire-snapshots-older-than 30 --env dev',
  ];
  static override args = { table: tableWord() };
  static override flags = {
    ...envFlag,
    compact: boolean({ description: 'join small files, and write files with deletes anew' }),
    'expire-snapshots-older-than': integer({
      description: 'forget snapshots older than so many days',
      helpValue: 'DAYS',
      min: 0,
      max: 3650,
    }),
    wait: boolean({ description: 'wait for the end', default: true, allowNo: true }),
  };

  async run(): Promise<void> {
    const { table } = this.args;
    const { compact, wait, 'expire-snapshots-older-than': days } = this.flags;
    const begun = await this.client.tables.maintain(this.environment, table, {
      compact,
      expireSnapshotsOlderThanDays: days,
    });
    if (!wait) return this.done(begun, `Queued the maintenance ${begun.id} of ${table}.`);
    const look = () => this.client.maintenance.wait(this.environment, begun.id);
    const ended = await during(this.io, () => `Maintaining ${table}`, look);
    this.done(ended, sentence(ended));
    if (ended.status !== 'succeeded')
      throw workFailed(ended.error?.detail ?? `The maintenance was ${ended.status}.`, ended.error?.remedy);
  }
}

function sentence({ status, table, result }: Maintenance): string {
  if (status !== 'succeeded' || result === null) return `The maintenance of ${table} ${status}.`;
  const { compacted_files: read, new_files: written, expired_snapshots: snapshots, removed_files: removed } = result;
  const parts = [
    read > 0 ? `${count(read)} files became ${count(written)}` : null,
    snapshots > 0 ? `${count(snapshots)} snapshots were forgotten` : null,
    removed > 0 ? `${count(removed)} leftover files were removed` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? `${table} needed no maintenance.` : `Maintained ${table}: ${parts.join(', ')}.`;
}
