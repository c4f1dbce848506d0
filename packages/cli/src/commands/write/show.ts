import { envFlag, requiredArg } from '../../arguments/flags.ts';
import { count, duration, time } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class WriteShow extends SvcCommand<typeof WriteShow> {
  static override summary = 'Show a write';
  static override examples = ['svc write show 01997c2e-7b7a-7c1e-8000-000000000001 --env dev'];
  static override args = { id: requiredArg('id of the write') };
  static override flags = { ...envFlag };

  async run(): Promise<void> {
    const write = await this.client.writes.get(this.environment, this.args.id);
    this.record(write, [
      ['id', write.id],
      ['table', write.table],
      ['mode', write.mode],
      ['status', write.status],
      ['rows', count(write.rows)],
      ['rejected', write.rejected === null ? null : count(write.rejected)],
      ['created', time(write.created_at)],
      ['took', duration(write.started_at, write.ended_at)],
      ['error', write.error?.detail],
    ]);
  }
}
