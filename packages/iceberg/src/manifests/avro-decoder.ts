import { UnsupportedTableError } from '../errors/table-errors.ts';
import { type AvroBytes, truncatedFileError } from './avro-bytes.ts';
import type { Shape, ShapeField } from './avro-shapes.ts';

type Decode = (bytes: AvroBytes) => unknown;
type Json = Readonly<Record<string, unknown>>;

/** Maximum number of types in a schema, counting each use of a named type, and their maximum depth. */
const MAX_TYPES = 20_000;
const MAX_DEPTH = 32;
/** Maximum bytes of a partition value. */
const MAX_VALUE_BYTES = 64 * 1024;

const PRIMITIVES = new Set(['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string']);
// Iceberg's libraries keep the letters of all scripts in the names of partition fields.
const NAME = /^(?!__proto__$)[\p{L}_][\p{L}\p{N}_]*$/u;

/**
 * Creates the reader of an Avro file's rows: it reads the fields that the shape names, by their ids, and validates
 * every value. The file's own schema determines only the layout of its bytes; nothing else in it is trusted.
 *
 * @param what the kind of file, for messages
 * @throws UnsupportedTableError if the schema doesn't match the shape; the reader throws it for a value
 */
export function avroDecoder(schema: unknown, shape: Shape, what: string): Decode {
  return new Compiler(what).decoder(schema, shape, '', 0);
}

class Compiler {
  private readonly what: string;
  private readonly named = new Map<string, Json>();
  private types = 0;

  constructor(what: string) {
    this.what = what;
  }

  decoder(type: unknown, shape: Shape, path: string, depth: number): Decode {
    const schema = this.resolved(type, depth);
    const fail = (problem: string) => this.invalid(path, problem);
    switch (shape.is) {
      case 'record':
        return this.recordOf(schema, shape.fields, path, depth);
      case 'list':
        return this.listOf(schema, shape.of, path, depth);
      case 'tuple':
        return this.tupleOf(schema, path, depth);
      case 'int':
      case 'long':
        return wholeNumber(schema, shape, fail);
      case 'text': {
        if (schema !== 'string') throw fail(`must be a string, but the file declares ${nameOf(schema)}`);
        return (bytes) => {
          const value = bytes.take(bytes.size()).toString();
          if (value.length > shape.max) throw fail(`is longer than ${shape.max} characters`);
          if (value.includes('\0')) throw fail('contains a NUL character');
          return value;
        };
      }
      case 'bytes':
        if (schema !== 'bytes') throw fail(`must be bytes, but the file declares ${nameOf(schema)}`);
        return (bytes) => bytes.take(bytes.size());
      case 'boolean':
        if (schema !== 'boolean') throw fail(`must be a boolean, but the file declares ${nameOf(schema)}`);
        return (bytes) => bytes.byte() !== 0;
    }
  }

  private recordOf(schema: Json | string, fields: readonly ShapeField[], path: string, depth: number): Decode {
    const written = this.fieldsOf(schema, path);
    const found = new Set<ShapeField>();
    const steps = written.map((field) => {
      const own = fields.find(
        (f) => field['field-id'] === f.id || (!('field-id' in field) && field['name'] === f.name),
      );
      if (own === undefined || found.has(own)) return { name: null, decode: this.skipper(field['type'], depth + 1) };
      found.add(own);
      return { name: own.name, decode: this.fieldOf(field['type'], own, within(path, own.name), depth + 1) };
    });
    const missing = fields.find((field) => field.required && !found.has(field));
    if (missing) throw this.invalid(within(path, missing.name), 'is required, but the file lacks it');
    if (steps.length === 2 && fields.length === 2 && steps[0]!.name === 'key' && steps[1]!.name === 'value') {
      // Table statistics have this form: most values of a manifest.
      const [key, value] = steps.map(({ decode }) => decode) as [Decode, Decode];
      return (bytes) => ({ key: key(bytes), value: value(bytes) });
    }
    // Start with all fields: objects that get fields one by one are slow to create and read.
    const empty = Object.fromEntries(fields.map((field) => [field.name, field.absent]));
    return (bytes) => {
      const row: Record<string, unknown> = { ...empty };
      for (let i = 0; i < steps.length; i++) {
        const { name, decode } = steps[i]!;
        const value = decode(bytes);
        if (name !== null) row[name] = value;
      }
      return row;
    };
  }

  private fieldOf(declared: unknown, { shape, required, absent }: ShapeField, path: string, depth: number): Decode {
    const { type, isNull } = this.nullable(declared, path, depth);
    const decode = this.decoder(type, shape, path, depth);
    if (isNull === null) return decode;
    return (bytes) => {
      if (!isNull(bytes)) return decode(bytes);
      if (required) throw this.invalid(path, 'is required, but null');
      return absent;
    };
  }

  /** A union of null and one other type is that type, perhaps absent; no field of a manifest is another union. */
  private nullable(declared: unknown, path: string, depth: number) {
    const schema = Array.isArray(declared) ? declared : [declared];
    const others = schema.filter((type) => type !== 'null');
    if (others.length !== 1 || schema.length > 2) throw this.invalid(path, 'is a union of several types');
    if (!Array.isArray(declared)) return { type: others[0], isNull: null };
    if (depth > MAX_DEPTH) throw this.invalid(path, 'is nested too deeply');
    const nullAt = schema.indexOf('null');
    const isNull = (bytes: AvroBytes): boolean => {
      const branch = bytes.number();
      if (branch < 0 || branch >= schema.length) throw truncatedFileError();
      return branch === nullAt;
    };
    return { type: others[0], isNull };
  }

  private listOf(schema: Json | string, of: Shape, path: string, depth: number): Decode {
    if (typeof schema === 'string' || schema['type'] !== 'array')
      throw this.invalid(path, `must be an array, but the file declares ${nameOf(schema)}`);
    const at = within(path, 'element');
    // DuckDB 1.4 declares optional elements, and writes none that is null.
    const { type, isNull } = this.nullable(schema['items'], at, depth + 1);
    const decode = this.decoder(type, of, at, depth + 1);
    const item = (bytes: AvroBytes) => {
      if (isNull?.(bytes)) throw this.invalid(at, 'is required, but null');
      return decode(bytes);
    };
    return (bytes) => {
      const values: unknown[] = [];
      for (let count = bytes.block(); count > 0; count = bytes.block()) {
        bytes.spend(count);
        for (; count > 0; count--) values.push(item(bytes));
      }
      return values;
    };
  }

  private tupleOf(schema: Json | string, path: string, depth: number): Decode {
    const steps = this.fieldsOf(schema, path).map((field) => {
      const name = field['name'];
      if (typeof name !== 'string' || !NAME.test(name)) throw this.invalid(path, 'has a field with an invalid name');
      const at = within(path, name);
      const { type, isNull } = this.nullable(field['type'], at, depth);
      return { name, isNull, decode: this.simple(this.resolved(type, depth + 1), at) };
    });
    return (bytes) => {
      const row: Record<string, unknown> = {};
      for (const { name, isNull, decode } of steps) row[name] = isNull?.(bytes) ? null : decode(bytes);
      return row;
    };
  }

  private simple(schema: Json | string, path: string): Decode {
    const bounded = (bytes: AvroBytes) => {
      const size = bytes.size();
      if (size > MAX_VALUE_BYTES) throw this.invalid(path, `is longer than ${MAX_VALUE_BYTES} bytes`);
      return bytes.take(size);
    };
    switch (schema) {
      case 'boolean':
        return (bytes) => bytes.byte() !== 0;
      case 'int':
        return (bytes) => bytes.number() | 0;
      case 'long':
        return (bytes) => bytes.long();
      case 'float':
        return (bytes) => bytes.take(4).readFloatLE();
      case 'double':
        return (bytes) => bytes.take(8).readDoubleLE();
      case 'bytes':
        return bounded;
      case 'string':
        return (bytes) => bounded(bytes).toString();
    }
    if (typeof schema !== 'string' && schema['type'] === 'fixed') {
      const size = this.fixedSize(schema, path);
      return (bytes) => bytes.take(size);
    }
    throw this.invalid(path, `must have a primitive type, but the file declares ${nameOf(schema)}`);
  }

  /** Reads past a value that nobody needs. */
  private skipper(declared: unknown, depth: number): Decode {
    if (Array.isArray(declared)) {
      const branches = declared.map((type) => this.skipper(type, depth + 1));
      return (bytes) => {
        const branch = branches[bytes.size()];
        if (branch === undefined) throw truncatedFileError();
        branch(bytes);
      };
    }
    const schema = this.resolved(declared, depth);
    if (schema === 'null') return () => undefined;
    if (schema === 'int' || schema === 'enum') return (bytes) => bytes.long();
    if (typeof schema === 'string') return this.simple(schema, 'a field of its own');
    switch (schema['type']) {
      case 'enum':
        return (bytes) => bytes.long();
      case 'array':
        return this.skipBlocks([this.skipper(schema['items'], depth + 1)]);
      case 'map':
        return this.skipBlocks([this.skipper('string', depth + 1), this.skipper(schema['values'], depth + 1)]);
      case 'record': {
        const fields = this.fieldsOf(schema, 'a field of its own').map((f) => this.skipper(f['type'], depth + 1));
        return (bytes) => {
          for (const skip of fields) skip(bytes);
        };
      }
      default:
        return this.simple(schema, 'a field of its own');
    }
  }

  private skipBlocks(parts: readonly Decode[]): Decode {
    return (bytes) => {
      for (let count = bytes.block(); count > 0; count = bytes.block()) {
        const start = bytes.at;
        for (; count > 0; count--) for (const skip of parts) skip(bytes);
        // Items of no bytes could be declared to come any number of times: they came as often as there are bytes, at most.
        if (bytes.at === start) throw truncatedFileError();
      }
    };
  }

  private fieldsOf(schema: Json | string, path: string): readonly Json[] {
    const fields = typeof schema === 'string' || schema['type'] !== 'record' ? null : schema['fields'];
    const isField = (field: unknown) => typeof field === 'object' && field !== null && 'type' in field;
    if (Array.isArray(fields) && fields.every(isField)) return fields;
    throw this.invalid(path, `must be a record, but the file declares ${nameOf(schema)}`);
  }

  private fixedSize(schema: Json, path: string): number {
    const size = schema['size'];
    if (Number.isSafeInteger(size) && Number(size) > 0 && Number(size) <= MAX_VALUE_BYTES) return Number(size);
    throw this.invalid(path, 'is a fixed type with an invalid size');
  }

  /** A primitive by its name, or the definition of another type. */
  private resolved(declared: unknown, depth: number): Json | string {
    this.types += 1;
    if (this.types > MAX_TYPES || depth > MAX_DEPTH)
      throw this.invalid('', 'declares too many types, or nests them too deeply');
    if (typeof declared === 'string') {
      if (PRIMITIVES.has(declared)) return declared;
      const known = this.named.get(declared);
      if (known === undefined) throw this.invalid('', `declares the unknown type "${declared.slice(0, 60)}"`);
      return known;
    }
    // A union of one type alone.
    if (Array.isArray(declared) && declared.length === 1) return this.resolved(declared[0], depth + 1);
    if (typeof declared !== 'object' || declared === null || Array.isArray(declared)) return 'a union';
    const schema = declared as Json;
    const { type, name, namespace } = schema;
    if (typeof type === 'object' || (typeof type === 'string' && PRIMITIVES.has(type))) {
      return this.resolved(type, depth + 1);
    }
    if (typeof name === 'string') {
      this.named.set(name, schema);
      if (typeof namespace === 'string') this.named.set(`${namespace}.${name}`, schema);
    }
    return schema;
  }

  private invalid(path: string, problem: string): UnsupportedTableError {
    const field = path === '' ? 'it' : `"${path}"`;
    return new UnsupportedTableError(`A ${this.what} of the table is not valid: ${field} ${problem}.`);
  }
}

function wholeNumber(
  schema: Json | string,
  shape: Extract<Shape, { is: 'int' | 'long' }>,
  fail: (problem: string) => UnsupportedTableError,
): Decode {
  // Avro reads an int where a long is expected; some writers declare a long where an int is.
  if (schema !== 'int' && schema !== 'long')
    throw fail(`must be ${shape.is === 'int' ? 'an int' : 'a long'}, but the file declares ${nameOf(schema)}`);
  if (shape.is === 'long') {
    return (bytes) => {
      const value = bytes.long();
      if (value < shape.min) throw fail(`must be at least ${shape.min}, but is ${value}`);
      return value;
    };
  }
  return (bytes) => {
    const value = bytes.number();
    if (value < shape.min || value > shape.max)
      throw fail(`must be from ${shape.min} to ${shape.max}, but is ${value}`);
    return value;
  };
}

const within = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const nameOf = (schema: Json | string): string =>
  typeof schema === 'string' ? schema : String(schema['type']).slice(0, 60);
