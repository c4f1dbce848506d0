import { string as textArg } from '@oclif/core/args';
import { SCRIPTS } from '../completion/scripts.ts';
import { SvcCommand } from '../svc-command.ts';

export default class Completion extends SvcCommand<typeof Completion> {
  static override summary = 'Print the completion script for a shell';
  static override description =
    'The script completes commands, options and names (environments, tables, jobs, …). Names come from the service, which has one second to respond, and are cached for 30 seconds.';
  static override examples = [
    'svc completion bash > ~/.local/share/bash-completion/completions/svc',
    'svc completion zsh > ~/.zfunc/_svc',
    'svc completion fish > ~/.config/fish/completions/svc.fish',
  ];
  static override args = {
    shell: textArg({ description: 'shell to print the script for', required: true, options: ['bash', 'zsh', 'fish'] }),
  };

  async run(): Promise<void> {
    this.io.stdout(SCRIPTS[this.args.shell as keyof typeof SCRIPTS]);
  }
}
