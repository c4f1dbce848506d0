import { envFlag, idArg } from '../../arguments/flags.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class QueryCancel extends SvcCommand<typeof QueryCancel> {
  static override summary = 'Cancel a query';
  static override examples = ['svc query cancel 01997c2e-7b7a-7c1e-8000-000000000001 --env dev'];
  static override args = { id: idArg('query') };
  static override flags = { ...envFlag };

  async run(): Promise<void> {
    const query = await this.client.queries.cancel(this.environment, await this.fullId('query', this.args.id));
    this.done(query, `The query ${query.id} is ${query.status === 'CANCELLED' ? 'cancelled' : 'being cancelled'}.`);
  }
}
