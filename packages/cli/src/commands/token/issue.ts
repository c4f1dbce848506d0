import { expiryFlags, parseExpiry } from '../../arguments/expiry.ts';
import { requiredArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';
import { storeTokenNote } from '../../texts/issued-token.ts';

export default class TokenIssue extends SvcCommand<typeof TokenIssue> {
  static override summary = 'Issue a token and print it once';
  static override examples = [
    'svc token issue nightly ci > token.txt',
    'svc token issue ann laptop --expires-at 2027-01-01',
  ];
  static override args = {
    principal: requiredArg('principal that the token belongs to'),
    name: requiredArg('name of the token'),
  };
  static override flags = { ...expiryFlags };

  async run(): Promise<void> {
    const { principal, name } = this.args;
    const expiresAt = parseExpiry(this.flags, this.io.now());
    const token = await this.client.tokens.issue(principal, name, { expires_at: expiresAt });
    // Only the token, so that it can be redirected to a file.
    if (this.json) this.printJson(token);
    else this.print(token.token);
    this.note(storeTokenNote(token));
  }
}
