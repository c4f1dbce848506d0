import { boolean } from '@oclif/core/flags';
import { SvcCommand } from '../../command.ts';
import { usage } from '../../exit.ts';
import { readStdin } from '../../terminal/stdin.ts';

export default class AuthPassword extends SvcCommand<typeof AuthPassword> {
  static override summary = 'Change your own password; your other sessions end';
  static override examples = ['svc auth password', 'svc auth password --stdin < passwords.txt'];
  static override flags = {
    stdin: boolean({ description: 'read the present and the new password from standard input, a line each' }),
  };

  async run(): Promise<void> {
    const [current, password] = this.flags.stdin ? await this.#given() : await this.#asked();
    await this.client.access.changePassword(current, password);
    this.done({ changed: true }, 'Changed: your other sessions have ended, tokens work on.');
  }

  async #given(): Promise<readonly [string, string]> {
    const [current, password, ...more] = (await readStdin(this.io)).split(/\r?\n/);
    if (password === undefined || more.length > 0)
      throw usage('Give two lines on standard input: the present password, and the new one.');
    return [current!, password];
  }

  async #asked(): Promise<readonly [string, string]> {
    const { ask, interactive } = this.io;
    if (!interactive)
      throw usage(
        'There is no terminal to ask on. Give both passwords on standard input.',
        'svc auth password --stdin',
      );
    const current = await ask.password('Present password');
    const password = await ask.password('New password');
    if ((await ask.password('New password again')) !== password)
      throw usage('The two new passwords differ. Nothing was changed.');
    return [current, password];
  }
}
