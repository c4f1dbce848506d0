import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { boolean, string } from '@oclif/core/flags';
import type { LoadFormat, Write } from '@svc/sdk';
import { SvcCommand } from '../../command.ts';
import { usage, workFailed } from '../../exit.ts';
import { breakGlassFlags, breakGlassOf, envFlag, tableWord, word } from '../../flags.ts';
import { bytes, count, duration } from '../../output/format.ts';

const FORMATS: Record<string, LoadFormat> = {
  csv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet',
};

export default class TableLoad extends SvcCommand<typeof TableLoad> {
  static override summary = 'Load rows from a file into a managed table';
  static override examples = [
    'svc table load sales.orders orders.csv --env dev',
    'zcat orders.ndjson.gz | svc table load sales.orders - --format ndjson --mode replace --env dev',
  ];
  static override description =
    'CSV needs a header row; columns are matched by name. A load that fails leaves the table as it was.';
  static override args = { table: tableWord(), file: word('file of rows; - for standard input') };
  static override flags = {
    ...envFlag,
    mode: string({
      description: 'add the rows, or put them in place of all',
      options: ['append', 'replace'],
      default: 'append',
    }),
    format: string({ description: 'else told by the name of the file', options: ['csv', 'ndjson', 'parquet'] }),
    watermark: string({ description: 'kept with the write: how far the load has come', helpValue: 'TEXT' }),
    wait: boolean({ description: 'wait for the end', default: true, allowNo: true }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { file, table } = this.args;
    const format = this.#format();
    const body = file === '-' ? this.io.stdin : await this.#opened(file);
    const begun = await this.client.tables.load(this.environment, table, body, {
      format,
      mode: this.flags.mode as 'append',
      watermark: this.flags.watermark,
      ...breakGlassOf(this.flags),
    });
    if (!this.flags.wait) {
      return this.done(
        begun,
        `Queued the write ${begun.id}. See how it goes: svc write show ${begun.id} --env ${this.environment}`,
      );
    }
    const write = await this.client.writes.wait(this.environment, begun.id);
    this.done(write, sentence(write));
    if (write.status !== 'succeeded')
      throw workFailed(write.error?.detail ?? `The write ${write.id} was ${write.status}.`, write.error?.remedy);
  }

  #format(): LoadFormat {
    const format = FORMATS[this.flags.format ?? this.args.file.split('.').at(-1)?.toLowerCase() ?? ''];
    if (format === undefined)
      throw usage(`"${this.args.file}" does not tell its format: add --format csv, ndjson or parquet.`);
    return format;
  }

  async #opened(file: string): Promise<() => AsyncIterable<Uint8Array>> {
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) throw usage(`There is no file ${file}.`);
    if (this.io.interactive) this.note(`Sending ${bytes(found.size)} …`);
    return () => createReadStream(file, { highWaterMark: 1 << 20 });
  }
}

function sentence(write: Write): string {
  if (write.status !== 'succeeded')
    return `The write ${write.id} ${write.status === 'failed' ? 'failed' : 'was cancelled'}.`;
  return `Loaded ${count(write.rows)} rows into ${write.table} (${write.mode}) in ${duration(write.created_at, write.ended_at)}.`;
}
