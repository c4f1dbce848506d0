import { parseExpiry, tokenExpiryFlags } from '../../arguments/expiry.ts';
import { requiredArg } from '../../arguments/flags.ts';
import { tokenScope, tokenScopeFlags } from '../../arguments/token-scope.ts';
import { SvcCommand } from '../../svc-command.ts';
import { storeTokenNote } from '../../texts/issued-token.ts';

export default class TokenIssue extends SvcCommand<typeof TokenIssue> {
  static override summary = 'Issue a token and print it once';
  static override examples = [
    'svc token issue nightly ci > token.txt',
    'svc token issue ann laptop --expires-at 2027-01-01',
    'svc token issue nightly ci --environment dev --action READ_TABLE --action WRITE_TABLE',
    'svc token issue ann notebook --read-only --expires-in 30d',
  ];
  static override args = {
    principal: requiredArg('principal that the token belongs to'),
    name: requiredArg('name of the token'),
  };
  static override flags = {
    ...tokenExpiryFlags,
    ...tokenScopeFlags,
  };

  async run(): Promise<void> {
    const { principal, name } = this.args;
    const expiresAt = parseExpiry(this.flags, this.io.now());
    const token = await this.client.tokens.issue(principal, name, {
      expires_at: expiresAt,
      ...(await tokenScope(this.flags)),
    });
    // Only the token, so that it can be redirected to a file.
    if (this.json) this.printJson(token);
    else this.print(token.token);
    this.note(storeTokenNote(token));
  }
}
