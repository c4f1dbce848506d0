import { type DataFileRecord, ENTRY_ADDED, type ManifestEntry, type ManifestFile } from '../manifests/manifests.ts';
import { partitionRecord } from '../manifests/partition-values.ts';
import { writeManifests } from '../manifests/write-manifests.ts';
import { currentSchema, type IcebergStruct, type TableMetadata } from '../metadata/metadata.ts';
import type { SnapshotDraft } from './snapshot-draft.ts';

const asAdded = (files: readonly DataFileRecord[], snapshotId: number): ManifestEntry[] =>
  files.map((data_file) => ({
    status: ENTRY_ADDED,
    snapshot_id: BigInt(snapshotId),
    sequence_number: null,
    file_sequence_number: null,
    data_file,
  }));

/** Manifests of the new files, each of one partition spec. */
export async function writeAdded(
  draft: SnapshotDraft,
  files: readonly DataFileRecord[],
  unpartitioned: number,
): Promise<ManifestFile[]> {
  const { metadata, snapshotId } = draft;
  const manifests: ManifestFile[] = [];
  for (const { specId, exact, group } of groupsOf(files, unpartitioned)) {
    const spec = metadata['partition-specs'].find((s) => s['spec-id'] === specId) ?? { 'spec-id': specId, fields: [] };
    const partition = partitionRecord(everyColumn(metadata), spec);
    const named = { schemaId: metadata['current-schema-id'], exact };
    manifests.push(...(await writeManifests(draft, specId, partition, asAdded(group, snapshotId), named)));
  }
  return manifests;
}

/** The files of each partition spec, apart from those that may lack columns. */
function groupsOf(files: readonly DataFileRecord[], unpartitioned: number) {
  const groups = new Map<string, { specId: number; exact: boolean; group: DataFileRecord[] }>();
  for (const file of files) {
    const [specId, exact] = [file.spec_id ?? unpartitioned, file.lacks_columns !== true];
    const key = `${specId} ${exact}`;
    const known = groups.get(key) ?? { specId, exact, group: [] };
    groups.set(key, known);
    known.group.push(file);
  }
  return groups.values();
}

/** The current columns, and dropped ones: files may be partitioned by them. */
function everyColumn(metadata: TableMetadata): IcebergStruct {
  const fields = new Map(currentSchema(metadata).fields.map((field) => [field.id, field]));
  for (const former of metadata.schemas.toReversed())
    for (const field of former.fields) if (!fields.has(field.id)) fields.set(field.id, field);
  return { type: 'struct', fields: [...fields.values()] };
}
