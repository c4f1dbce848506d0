import { breakGlassFlags, breakGlassOption, envFlag, requiredArg, tableArg } from '../../arguments/flags.ts';
import { plural } from '../../output/format.ts';
import { watchQuery } from '../../queries/watch-query.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class TableClone extends SvcCommand<typeof TableClone> {
  static override summary = 'Create a table with the current rows of another one';
  static override description =
    'The storage copies the data files without reading their rows. In a local folder the copies take no space: each is a second name of a file, and deleting one table leaves the other as it is. The clone has the columns, layout, properties and descriptions of its source, and none of its history, grants, policies or retention.';
  static override examples = ['svc table clone sales.orders dev_copies.orders --env dev'];
  static override args = { table: tableArg(), target: requiredArg('new table, as NAMESPACE.TABLE') };
  static override flags = { ...envFlag, ...breakGlassFlags };

  async run(): Promise<void> {
    const { table, target } = this.args;
    const query = await watchQuery(this.io, (watch) =>
      this.client.tables.clone(this.environment, table, target, { ...watch, ...breakGlassOption(this.flags) }),
    );
    this.done(query, `Cloned ${table} into ${target}: ${plural(query.row_count ?? 0, 'row')}.`);
  }
}
