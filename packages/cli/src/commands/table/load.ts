import { existsSync } from 'node:fs';
import { string as textArg } from '@oclif/core/args';
import { boolean, integer, string } from '@oclif/core/flags';
import { formatOfName } from '@svc/core/load-files';
import type { LoadMode, LoadOptions } from '@svc/sdk';
import { csvFlags, csvOptionsOf } from '../../arguments/csv-flags.ts';
import { breakGlassFlags, breakGlassOption, envFlag, tableArg } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { createFrom, tableExists } from '../../loads/create-from-file.ts';
import { inputFiles } from '../../loads/input-files.ts';
import { formatOf, loadFiles } from '../../loads/table-load.ts';
import { SvcCommand } from '../../svc-command.ts';

export default class TableLoad extends SvcCommand<typeof TableLoad> {
  static override summary = 'Load rows from files into a managed table';
  static override examples = [
    'svc table load sales.orders orders.csv --env dev',
    'svc table load sales.orders orders.csv.gz --create --env dev',
    "svc table load sales.orders 'data/*.csv' more.csv --env dev",
    'svc table load sales.orders orders.csv --on-error skip --max-errors 100 --env dev',
    'zcat orders.ndjson.gz | svc table load sales.orders - --format ndjson --mode replace --env dev',
  ];
  static override description =
    'Columns are matched by name, or by position if a CSV file has no header row. Several files are loaded in one commit: all of their rows, or none. Files that are compressed with gzip or zstd are uncompressed. If a load fails, the table stays as it was. If the upload of large or several files is interrupted, the same command continues it within a day.';
  static override args = {
    table: tableArg(),
    file: textArg({
      description:
        'files with the rows, or patterns such as data/*.csv; - reads standard input; or a URL that the operator allows',
      required: true,
      ignoreStdin: true,
      multiple: true,
    }),
  };
  static override flags = {
    ...envFlag,
    mode: string({
      description:
        'append the rows, replace all existing rows, or update the rows with the same --key and append the others',
      options: ['append', 'replace', 'merge'],
      default: 'append',
    }),
    key: string({
      description:
        'column that identifies a row (requires --mode merge; repeatable; default: the identifier fields of the table)',
      helpValue: 'COLUMN',
      multiple: true,
      multipleNonGreedy: true,
    }),
    format: string({ description: 'file format (default: from the extension)', options: ['csv', 'ndjson', 'parquet'] }),
    create: boolean({ description: 'create the table with the columns of the file, unless it exists' }),
    'on-error': string({
      description:
        'fail on a line that cannot be loaded, or leave it out and save it in FILE.rejected (CSV and NDJSON)',
      helpValue: 'ACTION',
      options: ['abort', 'skip'],
      default: 'abort',
    }),
    'max-errors': integer({
      description: 'lines that --on-error skip may leave out before the load fails (default: 1000)',
      helpValue: 'N',
      min: 0,
    }),
    ...csvFlags,
    watermark: string({ description: 'watermark to store with the write', helpValue: 'TEXT' }),
    wait: boolean({ description: 'wait until it finishes (default: on)', default: true, allowNo: true }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { table } = this.args;
    const { mode, key, watermark, create, wait, 'on-error': onError, 'max-errors': maxErrors } = this.flags;
    if (mode !== 'merge' && key !== undefined) throw usageError('--key COLUMN goes with --mode merge.');
    if (maxErrors !== undefined && onError !== 'skip') throw usageError('--max-errors is for --on-error skip.');
    const [first, ...others] = this.args.file as unknown as [string, ...string[]];
    if (
      others.length === 0 &&
      formatOfName(first) === undefined &&
      formatOfName(table) !== undefined &&
      existsSync(table)
    )
      throw usageError(`${table} is a file. The table comes first: svc table load TABLE FILE.`);
    const files = await inputFiles([first, ...others]);
    const format = formatOf(files, this.flags.format);
    if (onError === 'skip' && format === 'parquet') throw usageError('--on-error skip is for CSV and NDJSON.');
    let { csv } = csvOptionsOf(this.flags, format);
    if (create && !(await tableExists(this, table))) {
      const created = await createFrom(this, { table, file: files[0]!, format, csv, columns: [] });
      csv = created.csv;
    }
    const skip = onError === 'skip' ? { onError, maxErrors } : {};
    const options = { format, mode: mode as LoadMode, key, watermark, csv, ...skip, ...breakGlassOption(this.flags) };
    await loadFiles(this, { table, files, waits: wait }, options as LoadOptions);
  }
}
