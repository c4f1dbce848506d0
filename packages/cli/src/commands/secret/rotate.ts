import { boolean } from '@oclif/core/flags';
import { envFlag, requiredArg } from '../../arguments/flags.ts';
import { readValues } from '../../arguments/secret-values.ts';
import { escaped } from '../../output/escape.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class SecretRotate extends SvcCommand<typeof SecretRotate> {
  static override summary = 'Replace the values of a secret with a JSON object from standard input';
  static override examples = ['svc secret rotate corp-packages --env prod --values-stdin < values.json'];
  static override args = { name: requiredArg('name of the secret') };
  static override flags = {
    ...envFlag,
    'values-stdin': boolean({ description: 'read the values as a JSON object from standard input' }),
  };

  async run(): Promise<void> {
    const values = await readValues(this.io, this.flags['values-stdin']);
    const secret = await this.client.secrets.rotate(this.environment, this.args.name, values);
    this.done(secret, `Replaced the values of the secret ${secret.name} in ${secret.environment}.`);
    for (const warning of secret.warnings) this.note(escaped(`warning: ${warning}`));
  }
}
