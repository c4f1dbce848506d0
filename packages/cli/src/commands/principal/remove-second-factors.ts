import { requiredArg, yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class PrincipalRemoveSecondFactors extends SvcCommand<typeof PrincipalRemoveSecondFactors> {
  static override summary = 'Remove the second factors and recovery codes that a person has lost';
  static override description = 'The person can then sign in with the password alone, so make sure who requests it.';
  static override examples = ['svc principal remove-second-factors ann --yes'];
  static override args = { name: requiredArg('name of the person') };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { name } = this.args;
    await this.confirm(`Remove all second factors of ${name}? The password alone then opens a session.`);
    await this.client.principals.removeSecondFactors(name);
    this.done(undefined, `Removed the second factors of ${name}.`);
  }
}
