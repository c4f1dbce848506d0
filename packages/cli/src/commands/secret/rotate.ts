import { boolean } from '@oclif/core/flags';
import { envFlag, word } from '../../arguments/flags.ts';
import { readValues } from '../../arguments/secret-values.ts';
import { SvcCommand } from '../../command.ts';
import { escaped } from '../../output/escape.ts';

export default class SecretRotate extends SvcCommand<typeof SecretRotate> {
  static override summary = 'Set a secret again from a JSON object on standard input';
  static override examples = ['svc secret rotate corp-packages --env prod --values-stdin < values.json'];
  static override args = { name: word('name of the secret') };
  static override flags = {
    ...envFlag,
    'values-stdin': boolean({ description: 'read the values as a JSON object from standard input' }),
  };

  async run(): Promise<void> {
    const values = await readValues(this.io, this.flags['values-stdin']);
    const secret = await this.client.secrets.rotate(this.environment, this.args.name, values);
    this.done(secret, `Set the secret ${secret.name} in ${secret.environment} again.`);
    for (const warning of secret.warnings) this.note(escaped(`warning: ${warning}`));
  }
}
