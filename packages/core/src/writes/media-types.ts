/** How to parse an upload, by media type. */
export const LOAD_MEDIA_TYPES = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/vnd.apache.parquet': 'parquet',
} as const;
