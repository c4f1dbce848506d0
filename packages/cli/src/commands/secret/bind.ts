import { envFlag, word } from '../../arguments/flags.ts';
import { targetFlags, targetOf, useText } from '../../arguments/secret-target.ts';
import { SvcCommand } from '../../command.ts';
import { usage } from '../../exit.ts';
import { escaped } from '../../output/escape.ts';

export default class SecretBind extends SvcCommand<typeof SecretBind> {
  static override summary = 'Bind a secret to its one use';
  static override description = 'A use that it had before ends; a warning says what stops working.';
  static override examples = ['svc secret bind corp-packages --env prod --index corp'];
  static override args = { name: word('name of the secret') };
  static override flags = { ...envFlag, ...targetFlags };

  async run(): Promise<void> {
    const target = targetOf(this.flags);
    if (Object.keys(target).length === 0) {
      throw usage('Say what the secret is for: --index INDEX, --repository REPOSITORY or --environment.');
    }
    const secret = await this.client.secrets.bind(this.environment, this.args.name, target);
    this.done(secret, `Bound the secret ${secret.name} in ${secret.environment}: ${useText(secret)}.`);
    for (const warning of secret.warnings) this.note(escaped(`warning: ${warning}`));
  }
}
