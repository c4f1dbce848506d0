import { boolean, string } from '@oclif/core/flags';
import type { OrphanedLocation, RemovedLocations } from '@svc/sdk';
import { listFlags, requiredArg, yesFlag } from '../../arguments/flags.ts';
import { bytes, count, plural, time } from '../../output/format.ts';
import type { TableColumn } from '../../output/table.ts';
import { SvcCommand } from '../../svc-command.ts';

const COLUMNS: readonly TableColumn<OrphanedLocation>[] = [
  { header: 'location', cell: ({ location }) => location },
  { header: 'files', cell: ({ files }) => count(files), right: true, hide: 2 },
  { header: 'size', cell: ({ bytes: size }) => bytes(size), right: true, hide: 3 },
  { header: 'last changed', cell: ({ modified_at }) => time(modified_at), hide: 1 },
];

export default class EnvOrphanedLocations extends SvcCommand<typeof EnvOrphanedLocations> {
  static override summary = 'List or remove folders in storage that belong to no table';
  static override description = 'Folders younger than a day are neither listed nor removed.';
  static override examples = ['svc env orphaned-locations dev', 'svc env orphaned-locations dev --remove --yes'];
  static override args = { name: requiredArg('name of the environment') };
  static override flags = {
    remove: boolean({ description: 'remove the folders' }),
    location: string({ description: 'only folder to remove', helpValue: 'LOCATION', dependsOn: ['remove'] }),
    ...yesFlag,
    ...listFlags,
  };

  async run(): Promise<void> {
    const { name } = this.args;
    const { remove, location } = this.flags;
    const found = await this.client.environments.listOrphaned(name);
    if (!remove) return this.list(found, COLUMNS, `No folder in ${name} is orphaned.`);
    const meant = location === undefined ? found : found.filter((folder) => folder.location === location);
    if (meant.length > 0) {
      const files = meant.reduce((sum, folder) => sum + folder.files, 0);
      await this.confirm(
        `Permanently remove ${plural(meant.length, 'folder')} with ${plural(files, 'file')} from storage?`,
      );
    }
    const removed: RemovedLocations = { locations: [], files: 0, bytes: 0, more: meant.length > 0 };
    while (removed.more) {
      const step = await this.client.environments.removeOrphaned(name, location === undefined ? {} : { location });
      removed.locations.push(...step.locations);
      removed.files += step.files;
      removed.bytes += step.bytes;
      removed.more = step.more && step.files > 0;
    }
    const what = `${plural(removed.locations.length, 'folder')} with ${plural(removed.files, 'file')}`;
    this.done(removed, `Removed ${what} (${bytes(removed.bytes)}).`);
  }
}
