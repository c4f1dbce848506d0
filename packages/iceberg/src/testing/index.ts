export { DeleteIndex, type DescribedFile } from '../manifests/delete-index.ts';
export { manifestEntrySchema, manifestListSchema } from '../manifests/manifest-schemas.ts';
export { type PartitionValue, tupleKey } from '../manifests/partition-values.ts';
export { type AvroSchema, writeAvro } from '../manifests/write-avro.ts';
export { type Bitmap, type Container, type VectorHeader, vectorBlob, vectorOf } from './deletion-vectors.ts';
export { ENGINE_TABLES, PYICEBERG_READER } from './engine-tables.ts';
export { relocatedStore } from './relocated-store.ts';
export { countingIds } from './table-fixture.ts';
