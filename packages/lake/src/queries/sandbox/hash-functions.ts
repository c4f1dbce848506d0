import {
  BIGINT,
  BLOB,
  type DuckDBBlobValue,
  type DuckDBConnection,
  DuckDBScalarFunction,
  type DuckDBType,
  HUGEINT,
  INTEGER,
} from '@duckdb/node-api';
import { decimalBytes, murmur3, murmur3OfLong } from '@svc/iceberg/encoding';

/**
 * Adds the hash functions of bucket partitions to the engine: for integers, bytes and unscaled decimals. The guard
 * rejects direct calls.
 */
export function addHashFunctions(connection: DuckDBConnection): void {
  const add = <V>(name: string, parameter: DuckDBType, hash: (value: V) => number) =>
    connection.registerScalarFunction(
      DuckDBScalarFunction.create({
        name,
        returnType: INTEGER,
        parameterTypes: [parameter],
        mainFunction: (_info, input, output) => {
          const values = input.getColumnVector(0);
          for (let i = 0; i < input.rowCount; i++) {
            const value = values.getItem(i);
            output.setItem(i, value === null ? null : hash(value as V));
          }
          output.flush();
        },
      }),
    );
  add<bigint>('svc_hash_long', BIGINT, murmur3OfLong);
  add<DuckDBBlobValue>('svc_hash_bytes', BLOB, ({ bytes }) => murmur3(bytes));
  add<bigint>('svc_hash_decimal', HUGEINT, (unscaled) => murmur3(decimalBytes(unscaled)));
}
