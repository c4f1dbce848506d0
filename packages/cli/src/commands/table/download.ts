import { string } from '@oclif/core/flags';
import { envFlag, tableArg } from '../../arguments/flags.ts';
import { rejectTerminal, saveDownload } from '../../output/save-download.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class TableDownload extends SvcCommand<typeof TableDownload> {
  static override summary = 'Download the file of an artifact';
  static override examples = ['svc table download reports.summary --env dev --file summary.html'];
  static override args = { table: tableArg() };
  static override flags = {
    ...envFlag,
    file: string({ description: 'file to write (default: standard output)', helpValue: 'FILE' }),
  };

  async run(): Promise<void> {
    const { file } = this.flags;
    rejectTerminal(file, this.io);
    await saveDownload(await this.client.tables.download(this.environment, this.args.table), file, this.io);
    if (file !== undefined) this.note(`Wrote ${file}.`);
  }
}
