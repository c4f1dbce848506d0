import type { IcebergSchema } from '@svc/iceberg';

/** Iceberg view metadata, format version 1, in the JSON spelling of the Iceberg view specification. */
export interface ViewRepresentation {
  readonly type: string;
  readonly sql: string;
  readonly dialect: string;
}

export interface ViewVersion {
  readonly 'version-id': number;
  readonly 'timestamp-ms': number;
  readonly 'schema-id': number;
  readonly summary: Readonly<Record<string, string>>;
  readonly representations: readonly ViewRepresentation[];
  readonly 'default-catalog'?: string | null;
  readonly 'default-namespace': readonly string[];
}

export interface ViewMetadata {
  readonly 'view-uuid': string;
  readonly 'format-version': 1;
  readonly location: string;
  readonly 'current-version-id': number;
  readonly versions: readonly ViewVersion[];
  readonly 'version-log': readonly { readonly 'version-id': number; readonly 'timestamp-ms': number }[];
  readonly schemas: readonly IcebergSchema[];
  readonly properties: Readonly<Record<string, string>>;
}

export function currentVersion(metadata: ViewMetadata): ViewVersion {
  return metadata.versions.find((v) => v['version-id'] === metadata['current-version-id'])!;
}

/** The schema of the current version. */
export function viewSchema(metadata: ViewMetadata): IcebergSchema {
  const id = currentVersion(metadata)['schema-id'];
  return metadata.schemas.find((schema) => schema['schema-id'] === id)!;
}
