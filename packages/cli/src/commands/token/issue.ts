import { string } from '@oclif/core/flags';
import { word } from '../../arguments/flags.ts';
import { timeOf } from '../../arguments/since.ts';
import { SvcCommand } from '../../command.ts';
import { jsonText } from '../../output/escape.ts';
import { time } from '../../output/format.ts';

export default class TokenIssue extends SvcCommand<typeof TokenIssue> {
  static override summary = 'Issue a token; its text shows this once';
  static override examples = [
    'svc token issue nightly ci > token.txt',
    'svc token issue ann laptop --expires-at 2027-01-01',
  ];
  static override args = { principal: word('whose token it is'), name: word('name of the token') };
  static override flags = {
    'expires-at': string({ description: 'when it stops working; without it never', helpValue: 'TIME' }),
  };

  async run(): Promise<void> {
    const { principal, name } = this.args;
    const end = timeOf('expires-at', this.flags['expires-at']);
    const token = await this.client.tokens.issue(principal, name, { expires_at: end });
    // The text alone, so that it can be sent to a file.
    this.print(this.json ? jsonText(token) : token.token);
    const until = token.expires_at === null ? 'It does not expire.' : `It works until ${time(token.expires_at)}.`;
    this.note(`The token ${token.name} of ${token.principal} shows this once: keep it now. ${until}`);
  }
}
