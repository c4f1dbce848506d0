import { boolean } from '@oclif/core/flags';
import { idArg } from '../../arguments/flags.ts';
import { escaped } from '../../output/escape.ts';
import { SvcCommand } from '../../svc-command.ts';
import { scopeText, withoutEffect } from '../../texts/grant-text.ts';

export default class GrantRevoke extends SvcCommand<typeof GrantRevoke> {
  static override summary = 'Revoke a grant';
  static override examples = [
    'svc grant revoke 01997c2e-7b7a-7c1e-8000-000000000001',
    'svc grant revoke 01997c2e-7b7a-7c1e-8000-000000000001 --dry-run',
  ];
  static override args = { id: idArg('grant') };
  static override flags = {
    'dry-run': boolean({ description: 'show who would lose which actions, and change nothing' }),
  };

  async run(): Promise<void> {
    const id = await this.fullId('grant', this.args.id);
    if (this.flags['dry-run']) return this.#preview(id);
    await this.client.grants.revoke(id);
    this.done(undefined, `Revoked the grant ${id}.`);
  }

  async #preview(id: string): Promise<void> {
    const preview = await this.client.grants.previewRevocation(id);
    if (this.json) return this.printJson(preview);
    const { grant, principals } = preview;
    this.print(escaped(`Revoking ${grant.role ?? grant.action} on ${scopeText(grant)} would remove:`));
    const losing = principals.filter(({ loses }) => loses.length > 0);
    for (const { principal, loses } of losing) this.print(escaped(`- ${principal}: ${loses.join(', ')}`));
    if (losing.length > 0) return;
    const none = principals.length === 0 ? 'the group has no members' : 'other grants allow the same actions';
    this.print(`- nothing: ${withoutEffect(grant) ?? none}`);
  }
}
