import type { AvroSchema } from '@svc/iceberg/testing';
import { type Bitmap, type Container, type VectorHeader, vectorBlob } from '@svc/iceberg/testing';
import { FOOTER, type Json } from './fuzzed-table.ts';
import { MARK, oddAvro, oddJson } from './odd-values.ts';

type AvroField = { readonly name: string; readonly type: unknown };
type Footer = readonly (readonly (string | null)[])[];

const ODD_COUNTS = [0, 1, 2, 7, 255, 4096, 4097, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1];
const ODD_LONGS = [-(2n ** 63n), -1n, 0n, 1n, 4n, 7n, 2n ** 31n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n];

/** Parts of files, each with one wrong value. */
export class FileTwists {
  readonly pick: (below: number) => number;
  private readonly texts: readonly string[];

  /** @param pick a whole number below another one */
  constructor(pick: (below: number) => number, texts: readonly string[]) {
    this.pick = pick;
    this.texts = texts;
  }

  one<T>(of: readonly T[]): T {
    return of[this.pick(of.length)]!;
  }

  text(): string {
    // Now and then one that is very long.
    return this.pick(200) === 0 ? MARK.repeat(100_000) : this.one(this.texts);
  }

  /** The file with some bytes changed, or cut off. */
  damaged(file: Buffer): Buffer {
    const copy = Buffer.from(file);
    for (let i = this.pick(4); i >= 0; i--) copy[this.pick(copy.length)] = this.pick(256);
    return this.pick(4) === 0 ? copy.subarray(0, this.pick(copy.length)) : copy;
  }

  /**
   * A record with one of its fields, at any depth, of another type or value, or left out.
   *
   * @param root location of the table
   */
  record(schema: AvroSchema, row: Json, root: string): { at: string; schema: AvroSchema; row: Json } {
    const fields = schema['fields'] as readonly AvroField[];
    const at = this.pick(fields.length);
    const field = fields[at]!;
    const inner = field.type as AvroSchema;
    const changed = (type: unknown, value: unknown, name = field.name) => ({
      at: name,
      schema: { ...schema, fields: fields.with(at, { ...field, type, default: undefined } as AvroField) },
      row: { ...row, [field.name]: value },
    });
    if (inner['type'] === 'record' && this.pick(10) > 0) {
      const twist = this.record(inner, row[field.name] as Json, root);
      return changed(twist.schema, twist.row, `${field.name}.${twist.at}`);
    }
    if (this.pick(20) === 0)
      return { at: `without ${field.name}`, schema: { ...schema, fields: fields.toSpliced(at, 1) }, row };
    const value = row[field.name];
    // Of its own type a hostile value is taken more often than of another one.
    if (typeof value === 'bigint' && this.pick(2) === 0) return changed(inner, this.one(ODD_LONGS));
    const isText = typeof value === 'string';
    if (this.pick(isText ? 4 : 8) > (isText ? 0 : 6)) {
      // A path of the table's own that is hostile behind it.
      const text = this.pick(2) === 0 ? this.text() : `${root}/data/${this.text()}`;
      return changed(isText ? inner : 'string', text);
    }
    const [type, odd] = this.one(oddAvro(this.texts));
    return changed(type, odd);
  }

  /** A JSON value with one of its parts, at any depth, replaced or left out. */
  json(value: unknown): [at: string, value: unknown] {
    const odd = oddJson([...this.texts, this.text()]);
    if (typeof value === 'string' && this.pick(4) > 0) return ['', this.text()];
    if (typeof value !== 'object' || value === null || this.pick(12) === 0) return ['', this.one(odd)];
    const keys = Object.keys(value);
    if (keys.length === 0) return ['', { [this.text()]: this.text() }];
    const key = this.one(keys);
    const [at, part] = this.json((value as Json)[key]);
    const left = this.pick(15) === 0;
    if (Array.isArray(value)) return [`[${key}]${at}`, value.with(Number(key), part)];
    const { [key]: _gone, ...others } = value as Json;
    return [`.${key}${at}`, left ? others : { ...others, [key]: part }];
  }

  /** Rows of a footer as `parquet_schema` returns them, one of them odd, missing or duplicated. */
  footer(): [at: string, rows: Footer] {
    const at = this.pick(FOOTER.length);
    const row = FOOTER[at]!;
    const name = `row ${at}`;
    switch (this.pick(8)) {
      case 0:
        return [`without ${name}`, FOOTER.toSpliced(at, 1)];
      case 1:
        return [`${name} twice`, FOOTER.toSpliced(at, 0, row)];
    }
    const cell = this.pick(row.length);
    const odd = [null, '', '-1', '0', '3', '1e9', '4294967296', '9007199254740993', 'NaN', 'REPEATED', 'LIST', 'MAP'];
    const value = this.pick(2) === 0 ? this.text() : this.one(odd);
    return [`${name} cell ${cell}`, FOOTER.with(at, row.with(cell, value))];
  }

  /** A deletion vector of some containers, with a header that lies now and then. */
  vector(): [at: string, blob: Buffer] {
    const bitmaps = Array.from({ length: this.pick(3) }, (_, key): Bitmap => {
      const containers = Array.from({ length: this.pick(6) }, (_, i) => this.container(this.pick(3) > 0 ? i : 0));
      return { key: this.pick(5) > 0 ? key : this.one(ODD_COUNTS.filter((count) => count < 2 ** 32)), containers };
    });
    const lies: readonly VectorHeader[] = [
      {},
      {},
      { length: this.one(ODD_COUNTS.filter((count) => count < 2 ** 32)) },
      { magic: '50464131' },
      { bitmaps: this.one(ODD_LONGS.map((long) => BigInt.asUintN(64, long))) },
      { cookie: this.one([0, 12_346, 12_347, 0xffff_303b]) },
      { containers: this.one(ODD_COUNTS.filter((count) => count < 2 ** 32)) },
      { checksum: this.pick(2 ** 31) },
    ];
    const header = this.one(lies);
    const blob = vectorBlob(bitmaps, header);
    const at = `${bitmaps.map((b) => b.containers.map((c) => `${c.body.kind}:${c.claimed}`).join()).join(' ')}`;
    return [`${at} ${Object.keys(header).join()}`, this.pick(6) === 0 ? this.damaged(blob) : blob];
  }

  private container(key: number): Container {
    const values = [...new Set(Array.from({ length: this.pick(5) }, () => this.pick(this.pick(3) === 0 ? 65_536 : 5)))];
    const sorted = this.pick(5) > 0 ? values.toSorted((a, b) => a - b) : values;
    const honest = this.pick(3) > 0;
    const claimed = honest ? Math.max(sorted.length, 1) : this.one(ODD_COUNTS.filter((c) => c > 0 && c <= 65_536));
    switch (this.pick(5)) {
      case 0:
        return { key, claimed: 65_536, body: { kind: 'bits', bytes: Buffer.alloc(8192, this.one([0, 1, 255])) } };
      case 1: {
        const runs = sorted.map((start) => [start, this.one([0, 1, 65_535])] as const);
        return { key, claimed, body: { kind: 'runs', runs } };
      }
      default:
        return { key, claimed, body: { kind: 'array', values: sorted } };
    }
  }

  /** Where a vector lies and how many rows it names, with one of these wrong. */
  vectorEntry(data: Json): Json {
    const field = this.one(['content_offset', 'content_size_in_bytes', 'record_count', 'referenced_data_file']);
    const value = data[field];
    const near = typeof value === 'bigint' ? [value - 1n, value + 1n] : [];
    return { ...data, [field]: typeof value === 'bigint' ? this.one([...ODD_LONGS, ...near]) : this.text() };
  }
}
