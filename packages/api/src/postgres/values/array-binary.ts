import type { ArrayTexts } from './array-literals.ts';
import { textOfBinary } from './parameter-binary.ts';
import { PgValueError } from './value-error.ts';

const MAX_DIMENSIONS = 6;

/** The elements of an array in binary form. @throws PgValueError */
export function binaryArray(bytes: Buffer, element: number): ArrayTexts {
  const reader = new BinaryArray(bytes);
  const [dimensions, , type] = [reader.int32(), reader.int32(), reader.int32()];
  if (dimensions < 0 || dimensions > MAX_DIMENSIONS) throw malformedArray();
  if (type !== element) throw new PgValueError('22P03', `An array of the type ${type} was sent as one of ${element}.`);
  const sizes = Array.from({ length: dimensions }, () => {
    const size = reader.int32();
    reader.int32();
    return size;
  });
  // Every element takes at least 4 bytes.
  const count = sizes.reduce((product, size) => product * size, dimensions === 0 ? 0 : 1);
  if (sizes.some((size) => size < 0) || count > bytes.length / 4) throw malformedArray();
  const items = count === 0 ? [] : reader.items(sizes, element);
  if (!reader.isAtEnd()) throw malformedArray();
  return items;
}

const malformedArray = (): PgValueError => new PgValueError('22P03', 'An array is malformed in its binary form.');

class BinaryArray {
  private readonly bytes: Buffer;
  private at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  int32(): number {
    if (this.at + 4 > this.bytes.length) throw malformedArray();
    this.at += 4;
    return this.bytes.readInt32BE(this.at - 4);
  }

  items([size = 0, ...inner]: readonly number[], element: number): ArrayTexts {
    return Array.from({ length: size }, () => (inner.length > 0 ? this.items(inner, element) : this.item(element)));
  }

  isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  private item(element: number): string | null {
    const length = this.int32();
    if (length === -1) return null;
    const end = this.at + length;
    if (length < 0 || end > this.bytes.length) throw malformedArray();
    const text = textOfBinary(element, this.bytes.subarray(this.at, end));
    this.at = end;
    return text;
  }
}
