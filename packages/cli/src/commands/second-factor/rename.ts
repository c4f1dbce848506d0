import { requiredArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';
import { confirmed, factorId } from '../../terminal/second-factors.ts';

export default class SecondFactorRename extends SvcCommand<typeof SecondFactorRename> {
  static override summary = 'Rename a second factor of yours';
  static override examples = ['svc second-factor rename phone old-phone'];
  static override args = { name: requiredArg('name of the second factor'), new: requiredArg('new name') };

  async run(): Promise<void> {
    const { name, new: newName } = this.args;
    const id = await factorId(this, name);
    const renamed = await confirmed(this, () => this.client.secondFactors.rename(id, newName));
    this.done(renamed, `Renamed ${name} to ${renamed.name}.`);
  }
}
