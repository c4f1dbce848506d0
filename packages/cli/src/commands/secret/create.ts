import { boolean } from '@oclif/core/flags';
import { envFlag, requiredArg } from '../../arguments/flags.ts';
import { parseTarget, targetFlags, useText } from '../../arguments/secret-target.ts';
import { readValues } from '../../arguments/secret-values.ts';
import { escaped } from '../../output/escape.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class SecretCreate extends SvcCommand<typeof SecretCreate> {
  static override summary = 'Create a secret from a JSON object on standard input';
  static override examples = [
    'svc secret create corp-packages --env prod --values-stdin --index corp < values.json',
    'svc secret create hooks --env prod --values-stdin --environment < values.json',
  ];
  static override args = { name: requiredArg('name of the secret') };
  static override flags = {
    ...envFlag,
    'values-stdin': boolean({ description: 'read the values as a JSON object from standard input' }),
    ...targetFlags,
  };

  async run(): Promise<void> {
    const target = parseTarget(this.flags);
    const values = await readValues(this.io, this.flags['values-stdin']);
    const secret = await this.client.secrets.create(this.environment, this.args.name, values, target);
    this.done(secret, `Created the secret ${secret.name} in ${secret.environment}: ${useText(secret)}.`);
    for (const warning of secret.warnings) this.note(escaped(`warning: ${warning}`));
  }
}
