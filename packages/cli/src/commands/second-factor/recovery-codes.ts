import { yesFlag } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';
import { confirmed } from '../../terminal/second-factors.ts';

export default class SecondFactorRecoveryCodes extends SvcCommand<typeof SecondFactorRecoveryCodes> {
  static override summary = 'Replace your recovery codes and print the new ones';
  static override examples = ['svc second-factor recovery-codes --yes'];
  static override flags = { ...yesFlag };

  async run(): Promise<void> {
    await this.confirm('Replace your recovery codes? The previous ones stop working.');
    const replaced = await confirmed(this, () => this.client.secondFactors.replaceRecoveryCodes());
    if (this.json) return this.printJson(replaced);
    for (const text of replaced.recovery_codes) this.print(text);
    this.note('Store them safely. Each replaces the second factor once, and they are shown only now.');
  }
}
