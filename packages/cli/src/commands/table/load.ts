import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { boolean, string } from '@oclif/core/flags';
import type { LoadFormat, UploadBody, Write } from '@svc/sdk';
import { breakGlassFlags, breakGlassOf, envFlag, tableWord, word } from '../../arguments/flags.ts';
import { SvcCommand } from '../../command.ts';
import { usage, workFailed } from '../../exit.ts';
import { duration, plural } from '../../output/format.ts';
import { Counted, during, type Tell } from '../../terminal/progress.ts';

const FORMATS: Record<string, LoadFormat> = {
  csv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet',
};

/** What is sent, and how far that is. */
interface Upload {
  body: UploadBody;
  told: Tell;
}

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
    const { body, told } = file === '-' ? this.#piped() : await this.#opened(file);
    const upload = () =>
      this.client.tables.load(this.environment, table, body, {
        format,
        mode: this.flags.mode as 'append',
        watermark: this.flags.watermark,
        ...breakGlassOf(this.flags),
      });
    const begun = await during(this.io, told, upload);
    if (!this.flags.wait) {
      return this.done(
        begun,
        `Queued the write ${begun.id}. See how it goes: svc write show ${begun.id} --env ${this.environment}`,
      );
    }
    const wait = () => this.client.writes.wait(this.environment, begun.id);
    const write = await during(this.io, () => `Loading into ${table}`, wait);
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

  #piped(): Upload {
    const counted = new Counted();
    return { body: counted.through(this.io.stdin), told: () => `Sending: ${counted.text()}` };
  }

  /** The file is opened anew for each try. */
  async #opened(file: string): Promise<Upload> {
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) throw usage(`There is no file ${file}.`);
    let counted = new Counted();
    const body = () => {
      counted = new Counted();
      return counted.through(createReadStream(file, { highWaterMark: 1 << 20 }));
    };
    return { body, told: () => `Sending: ${counted.text(found.size)}` };
  }
}

function sentence(write: Write): string {
  if (write.status !== 'succeeded')
    return `The write ${write.id} ${write.status === 'failed' ? 'failed' : 'was cancelled'}.`;
  return `Loaded ${plural(write.rows ?? 0, 'row')} into ${write.table} (${write.mode}) in ${duration(write.created_at, write.ended_at)}.`;
}
