import { fileURLToPath } from 'node:url';

/** The folder of the tables written by the Iceberg Java library; see engines/README.md. */
export const ENGINE_TABLES = fileURLToPath(new URL('engines/tables', import.meta.url));

/** The script that reads a table with PyIceberg. */
export const PYICEBERG_READER = fileURLToPath(new URL('engines/read_with_pyiceberg.py', import.meta.url));
