import type { SvcClient } from '@svc/sdk';
import { loadInto, rowsOf } from '../orders.ts';

/** People who work through a server: reads, queries and loads, one after the other, until they are stopped. */
export class Traffic {
  /** Number of completed rounds. */
  rounds = 0;
  private stopping = false;
  private readonly client: SvcClient;
  private readonly table: string;
  private readonly finished: Promise<void>;

  /** @param table an empty table in the environment `dev` that nobody else uses */
  constructor(client: SvcClient, table: string) {
    this.client = client;
    this.table = table;
    this.finished = this.work();
    this.finished.catch(() => {});
  }

  private async work(): Promise<void> {
    const { client, table } = this;
    while (!this.stopping) {
      await client.environments.list();
      const { status, error } = await loadInto(client, { env: 'dev', table }, { format: 'csv', data: 'id\n1\n' });
      if (status !== 'succeeded') throw new Error(`a load failed with ${JSON.stringify(error)}`);
      this.rounds++;
      const [[count]] = (await rowsOf(client, 'dev', `SELECT count(*) AS n FROM ${table}`)) as [[number]];
      if (count !== this.rounds) throw new Error(`after ${this.rounds} loads ${table} has ${count} rows`);
    }
  }

  /** Resolves after at least so many rounds. @throws the first failure */
  async reached(least: number): Promise<void> {
    while (this.rounds < least) await Promise.race([this.finished, new Promise((resolve) => setTimeout(resolve, 20))]);
  }

  /** Continues for at least so many rounds. @throws the first failure */
  async stop(least: number): Promise<void> {
    await this.reached(least);
    this.stopping = true;
    await this.finished;
  }
}
