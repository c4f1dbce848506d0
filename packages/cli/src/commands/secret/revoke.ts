import { envFlag, requiredArg, yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class SecretRevoke extends SvcCommand<typeof SecretRevoke> {
  static override summary = 'Revoke a secret and erase its values';
  static override examples = ['svc secret revoke corp-packages --env prod --yes'];
  static override args = { name: requiredArg('name of the secret') };
  static override flags = { ...envFlag, ...yesFlag };

  async run(): Promise<void> {
    const { name } = this.args;
    await this.confirm(`Revoke the secret ${name} in ${this.environment}? Deploys and runs that need it fail.`);
    await this.client.secrets.revoke(this.environment, name);
    this.done(undefined, `Revoked the secret ${name} in ${this.environment}.`);
  }
}
