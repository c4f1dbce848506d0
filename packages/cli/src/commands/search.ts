import { string } from '@oclif/core/flags';
import type { SearchResult } from '@svc/sdk';
import { envFlag, pageFlags, requiredArg } from '../arguments/flags.ts';
import type { TableColumn } from '../output/table.ts';
import { SvcCommand } from '../svc-command.ts';

const COLUMNS: readonly TableColumn<SearchResult>[] = [
  { header: 'name', cell: ({ name }) => name },
  { header: 'kind', cell: ({ kind }) => kind },
  { header: 'repository', cell: ({ repository }) => repository, hide: 1 },
  { header: 'description', cell: ({ description }) => description, hide: 2 },
];

export default class Search extends SvcCommand<typeof Search> {
  static override summary = 'Find namespaces, tables, columns, assets and jobs by name and description';
  static override examples = ['svc search orders --env dev', 'svc search "net revenue" --env dev --kind column'];
  static override args = { text: requiredArg('text to search for; of several words, each must match') };
  static override flags = {
    ...envFlag,
    kind: string({
      description: 'only this kind: namespace, table, column, asset or job',
      helpValue: 'KIND',
      multiple: true,
      multipleNonGreedy: true,
    }),
    ...pageFlags,
  };

  async run(): Promise<void> {
    const { text } = this.args;
    const { kind } = this.flags;
    const env = this.environment;
    await this.pagedList(
      (page) => this.client.search.findPage(env, text, { kind, ...page }),
      COLUMNS,
      `No matches in ${env}. A search finds only what you can list.`,
    );
  }
}
