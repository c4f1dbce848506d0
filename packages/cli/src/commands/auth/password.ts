import { boolean } from '@oclif/core/flags';
import { usageError } from '../../cli-error.ts';
import { SvcCommand } from '../../svc-command.ts';
import { promptNewPassword } from '../../terminal/new-password.ts';
import { readStdin } from '../../terminal/stdin.ts';

export default class AuthPassword extends SvcCommand<typeof AuthPassword> {
  static override summary = 'Change your password and end your other sessions';
  static override examples = ['svc auth password', 'svc auth password --stdin < passwords.txt'];
  static override flags = {
    stdin: boolean({ description: 'read the current and the new password from standard input, one per line' }),
  };

  async run(): Promise<void> {
    const [current, password] = this.flags.stdin ? await this.#fromStdin() : await this.#prompted();
    await this.client.access.changePassword(current, password);
    this.done({ changed: true }, 'Changed the password. Your other sessions are signed out; your tokens still work.');
  }

  async #fromStdin(): Promise<readonly [string, string]> {
    const [current, password, ...more] = (await readStdin(this.io)).split(/\r?\n/);
    if (password === undefined || more.length > 0)
      throw usageError('Standard input must have two lines: the current password, then the new one.');
    return [current!, password];
  }

  async #prompted(): Promise<readonly [string, string]> {
    const { prompt, interactive } = this.io;
    if (!interactive)
      throw usageError(
        'There is no terminal to prompt on. Pass both passwords on standard input.',
        'svc auth password --stdin',
      );
    const current = await prompt.password('Current password');
    return [current, await promptNewPassword(this.io)];
  }
}
