import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { boolean, string } from '@oclif/core/flags';
import {
  ConnectionError,
  isSentInParts,
  type LoadFormat,
  type UploadBody,
  type UploadFile,
  type Write,
} from '@svc/sdk';
import { breakGlassFlags, breakGlassOption, envFlag, requiredArg, tableArg } from '../../arguments/flags.ts';
import { CliError, EXIT, usageError, workError } from '../../cli-error.ts';
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
  body: UploadBody | UploadFile;
  /** Recognizes the file if the upload is continued. */
  fingerprint?: string;
  describe: DescribeProgress;
}

export default class TableLoad extends SvcCommand<typeof TableLoad> {
  static override summary = 'Load rows from a file into a managed table';
  static override examples = [
    'svc table load sales.orders orders.csv --env dev',
    'zcat orders.ndjson.gz | svc table load sales.orders - --format ndjson --mode replace --env dev',
  ];
  static override description =
    'CSV files need a header row. Columns are matched by name. If a load fails, the table stays as it was. If the upload of a large file is interrupted, the same command continues it within a day.';
  static override args = { table: tableArg(), file: requiredArg('file with the rows; - reads standard input') };
  static override flags = {
    ...envFlag,
    mode: string({
      description:
        'append the rows, replace all existing rows, or update the rows with the same --key and append the others',
      options: ['append', 'replace', 'merge'],
      default: 'append',
    }),
    key: string({
      description: 'column that identifies a row (requires --mode merge; repeatable)',
      helpValue: 'COLUMN',
      multiple: true,
      multipleNonGreedy: true,
    }),
    format: string({ description: 'file format (default: from the extension)', options: ['csv', 'ndjson', 'parquet'] }),
    watermark: string({ description: 'watermark to store with the write', helpValue: 'TEXT' }),
    wait: boolean({ description: 'wait until it finishes (default: on)', default: true, allowNo: true }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { file, table } = this.args;
    const format = this.#format();
    if ((this.flags.mode === 'merge') !== (this.flags.key !== undefined))
      throw usageError('--mode merge and --key COLUMN go together.');
    const { body, fingerprint, describe } = file === '-' ? this.#piped() : await this.#opened(file);
    const upload = () =>
      this.client.tables.load(this.environment, table, body, {
        format,
        mode: this.flags.mode as 'append',
        key: this.flags.key,
        watermark: this.flags.watermark,
        fingerprint,
        ...breakGlassOption(this.flags),
      });
    const started = await withProgress(this.io, describe, upload).catch((error: unknown) => {
      throw canContinue(error, body) ? new CliError(error.message, EXIT.unavailable, CONTINUE) : error;
    });
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

  /** Opens the file again for each part and each retry. */
  async #opened(file: string): Promise<Upload> {
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) throw usageError(`The file ${file} doesn't exist.`);
    const counted = new ByteCounter();
    const slice = (start: number, end: number) => ({
      stream: () => {
        counted.count = start;
        if (start === end) return counted.countBytes(Readable.from([]));
        return counted.countBytes(createReadStream(file, { start, end: end - 1, highWaterMark: 1 << 20 }));
      },
    });
    // The service learns nothing about the path.
    const identity = JSON.stringify([await realpath(file), found.size, found.mtimeMs]);
    const fingerprint = createHash('sha256').update(identity).digest('hex');
    return { body: { size: found.size, slice }, fingerprint, describe: () => `Sending: ${counted.text(found.size)}` };
  }
}

const CONTINUE = 'The parts that have arrived are kept for a day. To send the rest, run the same command again.';

const canContinue = (error: unknown, body: Upload['body']): error is ConnectionError =>
  error instanceof ConnectionError && typeof body === 'object' && 'size' in body && isSentInParts(body);

function sentence(write: Write): string {
  if (write.status !== 'succeeded')
    return `The write ${write.id} ${write.status === 'failed' ? 'failed' : 'was cancelled'}.`;
  return `Loaded ${plural(write.rows ?? 0, 'row')} into ${write.table} (${write.mode}) in ${duration(write.created_at, write.ended_at)}.`;
}
