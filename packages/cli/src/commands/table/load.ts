import { boolean, string } from '@oclif/core/flags';
import type { LoadMode } from '@svc/sdk';
import { breakGlassFlags, breakGlassOption, envFlag, requiredArg, tableArg } from '../../arguments/flags.ts';
import { usageError } from '../../cli-error.ts';
import { createFrom, tableExists } from '../../create-from-file.ts';
import { SvcCommand } from '../../svc-command.ts';
import { formatOf, loadFile } from '../../table-load.ts';

export default class TableLoad extends SvcCommand<typeof TableLoad> {
  static override summary = 'Load rows from a file into a managed table';
  static override examples = [
    'svc table load sales.orders orders.csv --env dev',
    'svc table load sales.orders orders.csv.gz --create --env dev',
    'zcat orders.ndjson.gz | svc table load sales.orders - --format ndjson --mode replace --env dev',
  ];
  static override description =
    'CSV files need a header row. Columns are matched by name. A file that is compressed with gzip is uncompressed. If a load fails, the table stays as it was. If the upload of a large file is interrupted, the same command continues it within a day.';
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
      description:
        'column that identifies a row (requires --mode merge; repeatable; default: the identifier fields of the table)',
      helpValue: 'COLUMN',
      multiple: true,
      multipleNonGreedy: true,
    }),
    format: string({ description: 'file format (default: from the extension)', options: ['csv', 'ndjson', 'parquet'] }),
    create: boolean({ description: 'create the table with the columns of the file, unless it exists' }),
    watermark: string({ description: 'watermark to store with the write', helpValue: 'TEXT' }),
    wait: boolean({ description: 'wait until it finishes (default: on)', default: true, allowNo: true }),
    ...breakGlassFlags,
  };

  async run(): Promise<void> {
    const { file, table } = this.args;
    const { mode, key, watermark, create, wait } = this.flags;
    if (mode !== 'merge' && key !== undefined) throw usageError('--key COLUMN goes with --mode merge.');
    const format = formatOf(file, this.flags.format);
    if (create && !(await tableExists(this, table))) await createFrom(this, { table, file, format, columns: [] });
    const options = { format, mode: mode as LoadMode, key, watermark, ...breakGlassOption(this.flags) };
    await loadFile(this, { table, file, waits: wait }, options);
  }
}
