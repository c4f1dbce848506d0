import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { boolean, string } from '@oclif/core/flags';
import type { LoadFormat, UploadBody, Write } from '@svc/sdk';
import { breakGlassFlags, breakGlassOption, envFlag, requiredArg, tableArg } from '../../arguments/flags.ts';
import { usageError, workError } from '../../cli-error.ts';
import { duration, plural } from '../../output/format.ts';
import { SvcCommand } from '../../svc-command.ts';
import { ByteCounter, type DescribeProgress, withProgress } from '../../terminal/progress.ts';

const FORMATS: Record<string, LoadFormat> = {
  csv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet',
};

/** The body of an upload and its progress. */
interface Upload {
  body: UploadBody;
  describe: DescribeProgress;
}

export default class TableLoad extends SvcCommand<typeof TableLoad> {
  static override summary = 'Load rows from a file into a managed table';
  static override examples = [
    'svc table load sales.orders orders.csv --env dev',
    'zcat orders.ndjson.gz | svc table load sales.orders - --format ndjson --mode replace --env dev',
  ];
  static override description =
    'CSV files need a header row. Columns are matched by name. If a load fails, the table stays as it was.';
  static override args = { table: tableArg(), file: requiredArg('file with the rows; - reads standard input') };
  static override flags = {
    ...envFlag,
    mode: string({
      description: 'append the rows, or replace all existing rows',
      options: ['append', 'replace'],
      default: 'append',
    }),
    format: string({ description: 'file format (default: from the extension)', options: ['csv', 'ndjson', 'parquet'] }),
    watermark: string({ description: 'watermark to store with the write', helpValue: 'TEXT' }),
    wait: boolean({ description: 'wait until it finishes (default: on)', default: true, allowNo: true }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { file, table } = this.args;
    const format = this.#format();
    const { body, describe } = file === '-' ? this.#piped() : await this.#opened(file);
    const upload = () =>
      this.client.tables.load(this.environment, table, body, {
        format,
        mode: this.flags.mode as 'append',
        watermark: this.flags.watermark,
        ...breakGlassOption(this.flags),
      });
    const started = await withProgress(this.io, describe, upload);
    if (!this.flags.wait) {
      return this.done(
        started,
        `Queued the write ${started.id}. To see its status: svc write show ${started.id} --env ${this.environment}`,
      );
    }
    const wait = () => this.client.writes.wait(this.environment, started.id);
    const write = await withProgress(this.io, () => `Loading into ${table}`, wait);
    this.done(write, sentence(write));
    if (write.status !== 'succeeded')
      throw workError(write.error?.detail ?? `The write ${write.id} was ${write.status}.`, write.error?.remedy);
  }

  #format(): LoadFormat {
    const format = FORMATS[this.flags.format ?? this.args.file.split('.').at(-1)?.toLowerCase() ?? ''];
    if (format === undefined)
      throw usageError(
        `Can't detect the format of ${this.args.file} from its extension. Add --format csv, ndjson or parquet.`,
      );
    return format;
  }

  #piped(): Upload {
    const counted = new ByteCounter();
    return { body: counted.countBytes(this.io.stdin), describe: () => `Sending: ${counted.text()}` };
  }

  /** Opens the file again for each retry. */
  async #opened(file: string): Promise<Upload> {
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) throw usageError(`The file ${file} doesn't exist.`);
    let counted = new ByteCounter();
    const body = () => {
      counted = new ByteCounter();
      return counted.countBytes(createReadStream(file, { highWaterMark: 1 << 20 }));
    };
    return { body, describe: () => `Sending: ${counted.text(found.size)}` };
  }
}

function sentence(write: Write): string {
  if (write.status !== 'succeeded')
    return `The write ${write.id} ${write.status === 'failed' ? 'failed' : 'was cancelled'}.`;
  return `Loaded ${plural(write.rows ?? 0, 'row')} into ${write.table} (${write.mode}) in ${duration(write.created_at, write.ended_at)}.`;
}
