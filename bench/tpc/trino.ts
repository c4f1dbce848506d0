import { findTrino, startTrino } from '../../scripts/engines/trino-server.mjs';
import { TOKEN } from '../service/service.ts';

export interface Trino {
  /** Runs a statement over the tables of the schema and reads all of its rows. @throws if Trino rejects it */
  readonly run: (sql: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Answer {
  nextUri?: string;
  error?: { message: string };
}

/** Trino on the tables of an environment, which it reads through the Iceberg REST catalog. Null without Maven. */
export async function openTrino(url: string, environment: string, schema: string): Promise<Trino | null> {
  const installed = await findTrino();
  if (installed === null) return null;
  const { base, stop } = await startTrino(installed, { url, catalog: 'svc', environment, token: TOKEN, memory: '8g' });
  const headers = { 'X-Trino-User': 'bench', 'X-Trino-Catalog': 'svc', 'X-Trino-Schema': schema };
  const run = async (sql: string) => {
    let answer = (await (await fetch(`${base}/statement`, { method: 'POST', headers, body: sql })).json()) as Answer;
    while (answer.nextUri !== undefined) answer = (await (await fetch(answer.nextUri, { headers })).json()) as Answer;
    if (answer.error !== undefined) throw new Error(answer.error.message);
  };
  return { run, stop };
}
