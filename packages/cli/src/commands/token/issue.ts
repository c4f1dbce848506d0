import { boolean, string } from '@oclif/core/flags';
import { parseExpiry, tokenExpiryFlags } from '../../arguments/expiry.ts';
import { requiredArg } from '../../arguments/flags.ts';
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
    environment: string({
      description: 'environment in which the token works; repeatable (default: wherever the principal has permissions)',
      helpValue: 'ENV',
      multiple: true,
      multipleNonGreedy: true,
    }),
    action: string({
      description: 'action that the token carries; repeatable (default: all that the principal has)',
      helpValue: 'ACTION',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'read-only': boolean({
      description: 'the same as all actions that read tables and run queries',
      exclusive: ['action'],
    }),
  };

  async run(): Promise<void> {
    const { principal, name } = this.args;
    const expiresAt = parseExpiry(this.flags, this.io.now());
    const token = await this.client.tokens.issue(principal, name, {
      expires_at: expiresAt,
      environments: this.flags.environment,
      actions: this.flags['read-only'] ? await readOnlyActions() : this.flags.action,
    });
    // Only the token, so that it can be redirected to a file.
    if (this.json) this.printJson(token);
    else this.print(token.token);
    this.note(storeTokenNote(token));
  }
}

async function readOnlyActions(): Promise<string[]> {
  const { READ_ONLY_ACTIONS } = await import('@svc/core/access');
  return [...READ_ONLY_ACTIONS];
}
