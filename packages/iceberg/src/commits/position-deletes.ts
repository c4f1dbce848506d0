import type { DescribedFile } from '../manifests/delete-index.ts';
import type { DataFileRecord } from '../manifests/manifests.ts';
import type { IcebergField } from '../metadata/metadata.ts';
import type { WriteLayout } from './write-layout.ts';

const POSITION: IcebergField = { id: 2147483545, name: 'pos', required: true, type: 'long' };

/** The columns of a file of position deletes, with their reserved ids (Iceberg specification). */
export const POSITION_DELETE_FIELDS: readonly IcebergField[] = [
  { id: 2147483546, name: 'file_path', required: true, type: 'string' },
  POSITION,
];

/** Rows of one data file in order, as the specification requires. The file itself takes the partition of the data file. */
export const POSITION_DELETE_LAYOUT: WriteLayout = {
  specId: 0,
  partition: [],
  sortOrderId: 0,
  sort: [{ transform: { kind: 'identity' }, source: [POSITION], descending: false, nullsFirst: false }],
};

/** A written file of position deletes, all of one data file. */
export type PositionDeletes = {
  /** The location of the data file. */
  readonly of: string;
  readonly file: DataFileRecord;
};

/** The delete file as its manifest records it: in the partition of its data file. */
export const deleteFileRecord = ({ of, file }: PositionDeletes, data: DescribedFile): DataFileRecord => ({
  ...file,
  content: 1,
  partition: data.tuple,
  spec_id: data.specId,
  sort_order_id: null,
  referenced_data_file: of,
});
