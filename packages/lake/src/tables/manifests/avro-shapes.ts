/** What a reader expects of a value in an Avro file, whatever type the file declares for it. */
export type Shape =
  | { readonly is: 'boolean' | 'bytes' }
  | { readonly is: 'int'; readonly least: number; readonly most: number }
  | { readonly is: 'long'; readonly least: bigint }
  /** At most `most` characters, without NUL, which ends a text for some programs. */
  | { readonly is: 'text'; readonly most: number }
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
export const text = (most: number): Shape => ({ is: 'text', most });
export const BYTES: Shape = { is: 'bytes' };
export const BOOLEAN: Shape = { is: 'boolean' };

const INT_MOST = 2 ** 31 - 1;
/** An id or a count: zero or more. */
export const COUNT: Shape = { is: 'int', least: 0, most: INT_MOST };
export const between = (least: number, most: number): Shape => ({ is: 'int', least, most });
/** Snapshot ids of some engines are negative. */
export const ANY_LONG: Shape = { is: 'long', least: -(2n ** 63n) };
export const LONG_COUNT: Shape = { is: 'long', least: 0n };
