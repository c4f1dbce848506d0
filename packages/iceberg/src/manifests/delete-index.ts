import { UnsupportedTableError } from '../errors/table-errors.ts';
import { type DataFileRecord, isVector, type KeyedBytes, type LiveEntry } from './manifests.ts';

/** Rows that another engine deleted from a data file. */
export type DeleteFile =
  | { readonly kind: 'position'; readonly location: string }
  /** A deletion vector: its byte range in a Puffin file, and the number of rows it deletes. */
  | {
      readonly kind: 'vector';
      readonly location: string;
      readonly offset: number;
      readonly length: number;
      readonly deleted: number;
    }
  | {
      readonly kind: 'equality';
      readonly location: string;
      readonly fieldIds: readonly number[];
      /** It applies to files with a lower sequence number in the same scope (null: any scope). */
      readonly sequence: bigint;
      readonly scope: string | null;
    };

/** A live file with the information from its manifest and spec. */
export type DescribedFile = LiveEntry & {
  readonly sameColumns: boolean;
  readonly specId: number;
  readonly unpartitioned: boolean;
  readonly scope: string;
  /** Its partition by the names that a new manifest uses. */
  readonly tuple: DataFileRecord['partition'];
  readonly constants: ReadonlyMap<number, string | null>;
};

/** Reserved id of the column of a position delete file that names the data file. */
const FILE_PATH_ID = 2147483546;

/** Finds the deletes that apply to a data file (Iceberg specification, "Scan planning"). */
export class DeleteIndex {
  private readonly vectors = new Map<string, DescribedFile>();
  private readonly byFile = new Map<string, DescribedFile[]>();
  private readonly positions = new Map<string, DescribedFile[]>();
  private readonly equality = new Map<string, DescribedFile[]>();
  private readonly unscoped: DescribedFile[] = [];
  private readonly described = new Map<DescribedFile, DeleteFile>();

  constructor(deletes: readonly DescribedFile[]) {
    for (const deletion of deletes) {
      const { content, referenced_data_file: only } = deletion.data_file;
      if (isVector(deletion.data_file)) this.addVector(only ?? '', deletion);
      else if (content === 1 && only) add(this.byFile, only, deletion);
      else if (content === 1) add(this.positions, deletion.scope, deletion);
      else if (deletion.unpartitioned) this.unscoped.push(deletion);
      else add(this.equality, deletion.scope, deletion);
    }
  }

  /**
   * The specification allows one vector per data file. Many that name the same bytes would take a query's whole time.
   */
  private addVector(path: string, deletion: DescribedFile): void {
    if (this.vectors.has(path)) {
      throw new UnsupportedTableError(
        'The table has two deletion vectors for one data file, but only one is allowed. Roll the table back to a snapshot from before the second was added.',
      );
    }
    this.vectors.set(path, deletion);
  }

  of(data: DescribedFile): DeleteFile[] {
    return this.entriesOf(data).map((d) => this.describe(d));
  }

  /** The delete files themselves. */
  entriesOf(data: DescribedFile): DescribedFile[] {
    const path = data.data_file.file_path;
    const reaches = (d: DescribedFile) => data.sequence_number <= d.sequence_number;
    const vector = this.vectors.get(path);
    const positions =
      vector !== undefined && reaches(vector)
        ? [vector] // A vector contains the deletes of the position delete files before it.
        : [
            ...(this.byFile.get(path) ?? []),
            ...(this.positions.get(data.scope) ?? []).filter((d) => mayReference(d.data_file, path)),
          ].filter(reaches);
    const equality = [...this.unscoped, ...(this.equality.get(data.scope) ?? [])];
    return [...positions, ...equality.filter((d) => data.sequence_number < d.sequence_number)];
  }

  /** One object per delete file, so that readers can distinguish them. */
  private describe(entry: DescribedFile): DeleteFile {
    const known = this.described.get(entry);
    if (known) return known;
    const deleteFile = asDeleteFile(entry);
    this.described.set(entry, deleteFile);
    return deleteFile;
  }
}

function add(map: Map<string, DescribedFile[]>, key: string, entry: DescribedFile): void {
  const list = map.get(key);
  if (list) list.push(entry);
  else map.set(key, [entry]);
}

/** False if the delete file's bounds exclude the data file. */
function mayReference(file: DataFileRecord, path: string): boolean {
  const bound = (bounds: KeyedBytes | null) => bounds?.find((b) => b.key === FILE_PATH_ID)?.value;
  const [lower, upper] = [bound(file.lower_bounds), bound(file.upper_bounds)];
  const bytes = Buffer.from(path);
  return (!lower || Buffer.compare(bytes, lower) >= 0) && (!upper || Buffer.compare(bytes, upper) <= 0);
}

function asDeleteFile(entry: DescribedFile): DeleteFile {
  const file = entry.data_file;
  const location = file.file_path;
  if (isVector(file)) {
    return {
      kind: 'vector',
      location,
      offset: Number(file.content_offset),
      length: Number(file.content_size_in_bytes),
      deleted: Number(file.record_count),
    };
  }
  if (file.content === 1) return { kind: 'position', location };
  return {
    kind: 'equality',
    location,
    fieldIds: file.equality_ids ?? [],
    sequence: entry.sequence_number,
    scope: entry.unpartitioned ? null : entry.scope,
  };
}
