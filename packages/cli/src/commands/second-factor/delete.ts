import { requiredArg, yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';
import { confirmed, factorId } from '../../terminal/second-factors.ts';

export default class SecondFactorDelete extends SvcCommand<typeof SecondFactorDelete> {
  static override summary = 'Remove a second factor of yours';
  static override examples = ['svc second-factor delete phone --yes'];
  static override args = { name: requiredArg('name of the second factor') };
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    const { name } = this.args;
    await this.confirm(`Remove the second factor ${name}?`);
    const id = await factorId(this, name);
    await confirmed(this, () => this.client.secondFactors.remove(id));
    this.done(undefined, `Removed the second factor ${name}.`);
  }
}
