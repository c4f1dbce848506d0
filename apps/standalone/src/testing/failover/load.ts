import { PersistentCaller } from '../persistent-caller.ts';
import type { Call } from '../rest.ts';

/** People who work through one server: each loop repeats until `stop`, and counts what was acknowledged. */
export class Load {
  /** The `id` of every row of an acknowledged load, with the id of the write. */
  readonly writes: { row: number; write: string }[] = [];
  readonly namespaces: string[] = [];
  /** Ids of acknowledged starts. */
  readonly runs: string[] = [];
  queries = 0;
  readonly caller: PersistentCaller;
  private readonly name: string;
  private stopping = false;
  private readonly finished: Promise<unknown>;
  /** No two loads create the same row or namespace. */
  private static created = 0;

  /** @param name the job of the project that only this load starts */
  constructor(call: Call, name: string) {
    this.caller = new PersistentCaller(call);
    this.name = name;
    const loops = [() => this.load(), () => this.create(), () => this.startJob(), () => this.query()];
    this.finished = Promise.all(loops.map((act) => this.repeat(act)));
    this.finished.catch(() => {});
  }

  /** The smallest number of rounds that a loop has completed. */
  get rounds(): number {
    return Math.min(this.writes.length, this.namespaces.length, this.runs.length, this.queries);
  }

  /** Resolves when each loop has completed so many rounds. @throws the first failure */
  async reached(rounds: number): Promise<void> {
    while (this.rounds < rounds) await Promise.race([this.finished, new Promise((resolve) => setImmediate(resolve))]);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.finished;
  }

  private async repeat(act: () => Promise<void>): Promise<void> {
    while (!this.stopping) await act();
  }

  private async load(): Promise<void> {
    const row = Load.created++;
    const raw = { type: 'text/csv', data: `id\n${row}\n` };
    const { body } = await this.caller.send(
      'POST',
      '/environments/dev/namespaces/shop/tables/orders/writes?mode=append',
      {
        raw,
      },
    );
    this.writes.push({ row, write: body.id });
  }

  private async create(): Promise<void> {
    const path = `${this.name}_${Load.created++}`;
    await this.caller.send('POST', '/environments/dev/namespaces', { body: { path } });
    this.namespaces.push(path);
  }

  private async startJob(): Promise<void> {
    const path = `/environments/dev/jobs/${this.name}/runs?repository=${this.name}`;
    const { body } = await this.caller.send('POST', path, { body: {} });
    this.runs.push(body.id);
    for (let finishedAt = null; finishedAt === null; ) {
      const answer = await this.caller.send('GET', `/environments/dev/runs/${body.id}?wait=10`);
      finishedAt = answer.body.ended_at;
    }
  }

  private async query(): Promise<void> {
    const body = { sql: 'SELECT 40 + 2 AS n' };
    const { body: query } = await this.caller.send('POST', '/environments/dev/queries?wait=10', { body });
    const path = `/environments/dev/queries/${query.id}`;
    for (let { status } = query; status !== 'SUCCEEDED'; ) {
      if (status === 'FAILED') throw new Error(`query ${query.id} failed: ${JSON.stringify(query)}`);
      ({ status } = (await this.caller.send('GET', `${path}?wait=10`)).body);
    }
    this.queries++;
  }
}
