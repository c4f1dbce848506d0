import { boolean, integer, string } from '@oclif/core/flags';
import type { EnvironmentQuotas } from '@svc/sdk';
import { requiredArg } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { bytes, count } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';

const UNITS: Record<string, number> = {
  ...{ B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 },
  ...{ KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30, TIB: 2 ** 40 },
};

/** Parses a size such as `10GB`. @throws CliError if it is invalid */
function parseSize(text: string): number {
  const [, number, unit = 'B'] = /^(\d+(?:\.\d+)?)\s*([KMGT]i?B|B)?$/i.exec(text) ?? [];
  if (number === undefined)
    throw usageError(`Invalid size "${text}" for --storage. Use a size such as 500MB, 10GB or 1TiB.`);
  return Math.floor(Number(number) * UNITS[unit.toUpperCase()]!);
}

export default class EnvQuotas extends SvcCommand<typeof EnvQuotas> {
  static override summary = 'Show or set the storage and query quotas of an environment';
  static override description =
    'When the storage is used up, loads, --into queries and builds are rejected; drops, purges and reads still work. Queries beyond the quota wait.';
  static override examples = [
    'svc env quotas dev',
    'svc env quotas dev --storage 10GB --queries 4',
    'svc env quotas dev --clear',
  ];
  static override args = { name: requiredArg('name of the environment') };
  static override flags = {
    storage: string({ description: 'maximum size of the tables and artifacts, such as 10GB', helpValue: 'SIZE' }),
    queries: integer({
      description: 'maximum number of queries that run at once',
      helpValue: 'N',
      min: 1,
      max: 100_000,
    }),
    clear: boolean({
      description: "remove both quotas, so that only the operator's limits apply",
      exclusive: ['storage', 'queries'],
    }),
  };

  async run(): Promise<void> {
    const { name } = this.args;
    const { storage, queries, clear } = this.flags;
    const { environments } = this.client;
    if (clear) return this.#show(await environments.setQuotas(name, { storage_bytes: null, concurrent_queries: null }));
    if (storage === undefined && queries === undefined) return this.#show(await environments.quotas(name));
    const storageBytes = storage === undefined ? undefined : parseSize(storage);
    const now = await environments.quotas(name);
    const own = ({ source, limit }: { source: string | null; limit: number | null }) =>
      source === 'environment' ? limit : null;
    const body = {
      storage_bytes: storageBytes ?? own(now.storage_bytes),
      concurrent_queries: queries ?? own(now.concurrent_queries),
    };
    this.#show(await environments.setQuotas(name, body));
  }

  #show(quotas: EnvironmentQuotas): void {
    const { storage_bytes: storage, concurrent_queries: queries } = quotas;
    this.record(quotas, [
      ['environment', this.args.name],
      ['storage', limitText(bytes(storage.used), storage.limit === null ? null : bytes(storage.limit), storage.source)],
      ['queries', limitText(count(queries.used), queries.limit === null ? null : count(queries.limit), queries.source)],
      ['waiting', count(queries.waiting)],
    ]);
  }
}

function limitText(used: string, limit: string | null, source: string | null): string {
  if (limit === null) return `${used}, no limit`;
  return `${used} of ${limit}${source === 'instance' ? " (the operator's limit)" : ''}`;
}
