import { string } from '@oclif/core/flags';
import { envFlag, tableWord } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { refuseTerminal, save } from '../../write-file.ts';

export default class TableDownload extends SvcCommand<typeof TableDownload> {
  static override summary = 'Fetch the file of an artifact';
  static override examples = ['svc table download reports.summary --env dev --file summary.html'];
  static override args = { table: tableWord() };
  static override flags = {
    ...envFlag,
    file: string({ description: 'write there instead of standard output', helpValue: 'FILE' }),
  };

  async run(): Promise<void> {
    const { file } = this.flags;
    refuseTerminal(file, this.io);
    await save(await this.client.tables.download(this.environment, this.args.table), file, this.io);
    if (file !== undefined) this.note(`Wrote ${file}.`);
  }
}
