import { string } from '@oclif/core/flags';
import { envFlag, requiredArg } from '../../arguments/flags.ts';
import { saveDownload } from '../../output/save-download.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class WriteRejected extends SvcCommand<typeof WriteRejected> {
  static override summary = 'Download the lines that a load left out';
  static override description =
    'The lines are CSV with the columns file, line, column, reason and text. They are retained for a day, for the user who started the load.';
  static override examples = [
    'svc write rejected 01997c2e-7b7a-7c1e-8000-000000000001 --file orders.csv.rejected --env dev',
  ];
  static override args = { id: requiredArg('id of the write') };
  static override flags = {
    ...envFlag,
    file: string({ description: 'file to write (default: standard output)', helpValue: 'FILE' }),
  };

  async run(): Promise<void> {
    const lines = await this.client.writes.rejected(this.environment, this.args.id);
    await saveDownload(lines, this.flags.file, this.io);
  }
}
