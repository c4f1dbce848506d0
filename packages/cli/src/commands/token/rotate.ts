import { string } from '@oclif/core/flags';
import { requiredArg } from '../../arguments/flags.ts';
import { parseSeconds } from '../../arguments/time.ts';
import { SvcCommand } from '../../svc-command.ts';
import { storeTokenNote } from '../../texts/issued-token.ts';

export default class TokenRotate extends SvcCommand<typeof TokenRotate> {
  static override summary = 'Replace a token with a new one and print it once';
  static override examples = [
    'svc token rotate 01997c2e-7b7a-7c1e-8000-000000000001 > token.txt',
    'svc token rotate 01997c2e-7b7a-7c1e-8000-000000000001 --overlap 1h',
  ];
  static override args = { id: requiredArg('id of the token') };
  static override flags = {
    overlap: string({
      description: 'how long the previous token still works, such as 1h; 0: it stops at once (default: 1d)',
      helpValue: 'DURATION',
    }),
  };

  async run(): Promise<void> {
    const { overlap } = this.flags;
    const token = await this.client.tokens.rotate(this.args.id, { overlap_seconds: parseSeconds('overlap', overlap) });
    // Only the token, so that it can be redirected to a file.
    if (this.json) this.printJson(token);
    else this.print(token.token);
    this.note(storeTokenNote(token));
  }
}
