import { boolean } from '@oclif/core/flags';
import { shellCommand } from '@svc/core/command-lines';
import { requiredArg } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { SvcCommand } from '../../svc-command.ts';
import { promptNewPassword } from '../../terminal/new-password.ts';
import { readStdin } from '../../terminal/stdin.ts';

export default class PrincipalSetPassword extends SvcCommand<typeof PrincipalSetPassword> {
  static override summary = 'Set the password of a person and end their sessions';
  static override description = 'The tokens of the person still work.';
  static override examples = [
    'svc principal set-password ann',
    'svc principal set-password ann --stdin < password.txt',
  ];
  static override args = { name: requiredArg('name of the person') };
  static override flags = {
    stdin: boolean({ description: 'read the password from standard input', aliases: ['password-stdin'] }),
  };

  async run(): Promise<void> {
    const { name } = this.args;
    const password = this.flags.stdin ? await readStdin(this.io) : await this.#prompted(name);
    const principal = await this.client.principals.update(name, { password });
    this.done(principal, `Set the password of ${name}. Other sessions of ${name} are signed out; tokens still work.`);
  }

  async #prompted(name: string): Promise<string> {
    if (!this.io.interactive)
      throw usageError(
        'There is no terminal to prompt on. Pass the password on standard input.',
        `${shellCommand('svc principal set-password', name, [])} --stdin`,
      );
    return promptNewPassword(this.io);
  }
}
