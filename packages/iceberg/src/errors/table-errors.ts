/** A file of another engine that this package can't work with. */
export class UnsupportedTableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnsupportedTableError';
  }
}

/** Metadata that violates the Iceberg specification. */
export class InvalidMetadataError extends UnsupportedTableError {
  override readonly name = 'InvalidMetadataError';
}
