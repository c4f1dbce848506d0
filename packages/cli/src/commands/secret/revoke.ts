import { envFlag, word, yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';

export default class SecretRevoke extends SvcCommand<typeof SecretRevoke> {
  static override summary = 'Revoke a secret: its values are erased';
  static override examples = ['svc secret revoke corp-packages --env prod --yes'];
  static override args = { name: word('name of the secret') };
  static override flags = { ...envFlag, ...yesFlag };

  async run(): Promise<void> {
    const { name } = this.args;
    await this.confirm(`Revoke the secret ${name} in ${this.environment}? Deploys and runs that need it stop.`);
    await this.client.secrets.revoke(this.environment, name);
    this.done(undefined, `Revoked the secret ${name} in ${this.environment}.`);
  }
}
