import { requiredArg } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { escaped } from '../../output/escape.ts';
import { SvcCommand } from '../../svc-command.ts';
import { confirmed } from '../../terminal/second-factors.ts';

export default class SecondFactorAdd extends SvcCommand<typeof SecondFactorAdd> {
  static override summary = 'Add an authenticator app as a second factor';
  static override description =
    'Add security keys and passkeys in the console, under Account. With the first second factor, your other sessions end, and the recovery codes are printed.';
  static override examples = ['svc second-factor add phone'];
  static override args = { name: requiredArg('name of the second factor') };

  async run(): Promise<void> {
    const { io, client } = this;
    if (!io.interactive)
      throw usageError('There is no terminal to prompt on. Add the second factor in the console, under Account.');
    const { enrolment, secret, uri } = await confirmed(this, () => client.secondFactors.startTotp());
    this.note(escaped(`Enter this secret in your authenticator app: ${secret}`));
    this.note(escaped(`Or open it there:                            ${uri}`));
    const code = await io.prompt.text('Code that the app shows');
    const added = await client.secondFactors.add(enrolment, this.args.name, { code });
    this.done(added, `Added the second factor ${added.factor.name}.`);
    if (this.json || added.recovery_codes.length === 0) return;
    this.note('Store these recovery codes safely. Each replaces the second factor once, and they are shown only now:');
    for (const text of added.recovery_codes) this.print(text);
  }
}
