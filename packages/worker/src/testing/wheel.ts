import { createHash } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';

/** A wheel of one module with one value, built in memory: nothing is downloaded. */
export interface TestWheel {
  readonly file: string;
  readonly bytes: Buffer;
  readonly hash: string;
}

export function makeWheel(
  name: string,
  version: string,
  value: string,
  { tag = 'py3-none-any', more = {} }: { tag?: string; more?: Readonly<Record<string, Buffer>> } = {},
): TestWheel {
  const info = `${name}-${version}.dist-info`;
  const files: Record<string, string | Buffer> = {
    ...more,
    [`${name}.py`]: `VALUE = ${JSON.stringify(value)}\n`,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`,
    [`${info}/WHEEL`]: `Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: ${tag}\n`,
  };
  files[`${info}/RECORD`] = [...Object.keys(files), `${info}/RECORD`].map((path) => `${path},,\n`).join('');
  const bytes = zip(files);
  return { file: `${name}-${version}-${tag}.whl`, bytes, hash: createHash('sha256').update(bytes).digest('hex') };
}

/** Builds a compressed zip archive. */
function zip(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path);
    const plain = Buffer.from(text);
    const data = deflateRawSync(plain);
    const entry = Buffer.alloc(26);
    entry.writeUInt16LE(20, 0);
    entry.writeUInt16LE(8, 4);
    entry.writeUInt16LE(0x21, 8); // 1 January 1980
    entry.writeUInt32LE(crc32(plain), 10);
    entry.writeUInt32LE(data.length, 14);
    entry.writeUInt32LE(plain.length, 18);
    entry.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), entry, name, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), entry, tail, name]));
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, list, Buffer.from('PK\x05\x06'), end]);
}
