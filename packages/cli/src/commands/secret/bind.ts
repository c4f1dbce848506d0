import { envFlag, requiredArg } from '../../arguments/flags.ts';
import { parseTarget, targetFlags, useText } from '../../arguments/secret-target.ts';
import { usageError } from '../../cli-error.ts';
import { escaped } from '../../output/escape.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class SecretBind extends SvcCommand<typeof SecretBind> {
  static override summary = 'Bind a secret to a package index, a repository or its environment';
  static override description =
    'A secret has one use. Binding it again ends the previous use, and a warning names what stops working.';
  static override examples = ['svc secret bind corp-packages --env prod --index corp'];
  static override args = { name: requiredArg('name of the secret') };
  static override flags = { ...envFlag, ...targetFlags };

  async run(): Promise<void> {
    const target = parseTarget(this.flags);
    if (Object.keys(target).length === 0) {
      throw usageError('Specify what the secret is for: --index INDEX, --repository REPOSITORY or --environment.');
    }
    const secret = await this.client.secrets.bind(this.environment, this.args.name, target);
    this.done(secret, `Bound the secret ${secret.name} in ${secret.environment}: ${useText(secret)}.`);
    for (const warning of secret.warnings) this.note(escaped(`warning: ${warning}`));
  }
}
