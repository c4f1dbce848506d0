import { requiredArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class EnvRestore extends SvcCommand<typeof EnvRestore> {
  static override summary = 'Restore a deleted environment with its tables and grants';
  static override examples = ['svc env restore staging'];
  static override args = { name: requiredArg('name of the environment') };

  async run(): Promise<void> {
    const environment = await this.client.environments.restore(this.args.name);
    this.done(
      environment,
      `Restored the environment ${environment.name}. Views come back with the next deploy or run of their projects. Register external tables again with svc table create-external.`,
    );
  }
}
