/** What a reader expects of a value in an Avro file, whatever type the file declares for it. */
export type Shape =
  | { readonly is: 'boolean' | 'bytes' }
  | { readonly is: 'int'; readonly min: number; readonly max: number }
  | { readonly is: 'long'; readonly min: bigint }
  /** At most `most` characters, without NUL, which ends a text for some programs. */
  | { readonly is: 'text'; readonly max: number }
  | { readonly is: 'list'; readonly of: Shape }
  | { readonly is: 'record'; readonly fields: readonly ShapeField[] }
  /** A record of values of any simple type: the partition. */
  | { readonly is: 'tuple' };

export type ShapeField = {
  /** Iceberg's field id. Writers have named some fields differently. */
  readonly id: number;
  readonly name: string;
  readonly shape: Shape;
  readonly required: boolean;
  /** The value if the field is null or absent. */
  readonly absent: unknown;
};

export const required = (id: number, name: string, shape: Shape): ShapeField => ({
  id,
  name,
  shape,
  required: true,
  absent: null,
});

export const optional = (id: number, name: string, shape: Shape, absent: unknown = null): ShapeField => ({
  id,
  name,
  shape,
  required: false,
  absent,
});

export const record = (...fields: readonly ShapeField[]): Shape => ({ is: 'record', fields });
export const list = (of: Shape): Shape => ({ is: 'list', of });
export const text = (max: number): Shape => ({ is: 'text', max });
export const BYTES: Shape = { is: 'bytes' };
export const BOOLEAN: Shape = { is: 'boolean' };

const INT_MAX = 2 ** 31 - 1;
/** An id or a count: zero or more. */
export const COUNT: Shape = { is: 'int', min: 0, max: INT_MAX };
export const between = (min: number, max: number): Shape => ({ is: 'int', min, max });
/** Snapshot ids of some engines are negative. */
export const ANY_LONG: Shape = { is: 'long', min: -(2n ** 63n) };
export const LONG_COUNT: Shape = { is: 'long', min: 0n };
