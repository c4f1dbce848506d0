import { type ColumnType, formatColumnType, type PrimitiveKind, type StructField } from './column-type.ts';
import { LENGTH_TYPES, PRIMITIVES } from './type-names.ts';
import { TypeReader, TypeSyntaxError } from './type-reader.ts';

export type ParsedColumnType =
  | { readonly ok: true; readonly type: ColumnType }
  | { readonly ok: false; readonly message: string };

/** The accepted syntax, for error messages. */
export const COLUMN_TYPE_SYNTAX =
  'boolean, int, long, float, double, decimal(p,s), date, time, timestamp, timestamptz, string, uuid, binary, ' +
  'list<type>, map<type,type> or struct<name: type, …>';

const MAX_DEPTH = 16;
const MAX_LENGTH = 10_000;

function readType(reader: TypeReader, depth: number): ColumnType {
  checkDepth(depth);
  let type = readSingle(reader, depth);
  // Brackets wrap the type before them in lists, so each one adds a level that `depth` doesn't include.
  for (let below = depth + levelsOf(type); reader.take('['); ) {
    reader.expect(']');
    checkDepth(++below);
    type = { kind: 'list', element: type };
  }
  return type;
}

function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new TypeSyntaxError(`types may be nested ${MAX_DEPTH} deep at most`);
}

function levelsOf(type: ColumnType): number {
  if (type.kind === 'list') return 1 + levelsOf(type.element);
  if (type.kind === 'map') return 1 + Math.max(levelsOf(type.key), levelsOf(type.value));
  if (type.kind === 'struct') return 1 + Math.max(...type.fields.map((field) => levelsOf(field.type)));
  return 0;
}

function readSingle(reader: TypeReader, depth: number): ColumnType {
  const token = reader.nextToken();
  if (token === 'decimal' || token === 'numeric' || token === 'dec') return readDecimal(reader);
  if (token === 'list' || token === 'array') return readList(reader, depth);
  if (token === 'map') return readMap(reader, depth);
  if (token === 'struct' || token === 'row') return readStruct(reader, depth);
  return { kind: readPrimitive(reader, token) };
}

function readPrimitive(reader: TypeReader, first: string): PrimitiveKind {
  let name = first;
  if (first === 'double' && reader.take('precision')) name = 'double precision';
  if (first === 'character' && reader.take('varying')) name = 'character varying';
  if ((first === 'timestamp' || first === 'time') && (reader.is('with') || reader.is('without'))) {
    name += ` ${reader.nextToken()}`;
    reader.expect('time');
    reader.expect('zone');
    name += ' time zone';
  }
  const kind = PRIMITIVES[name];
  if (!kind || !Object.hasOwn(PRIMITIVES, name)) throw new TypeSyntaxError(`unknown type "${name}"`);
  if (LENGTH_TYPES.has(name) && reader.take('(')) {
    reader.integer();
    reader.expect(')');
  }
  return kind;
}

function readDecimal(reader: TypeReader): ColumnType {
  if (!reader.take('(')) return { kind: 'decimal', precision: 18, scale: 3 };
  const precision = reader.integer();
  const scale = reader.take(',') ? reader.integer() : 0;
  reader.expect(')');
  if (precision < 1 || precision > 38) throw new TypeSyntaxError('the precision of a decimal is 1 to 38');
  if (scale > precision) throw new TypeSyntaxError('the scale of a decimal is at most its precision');
  return { kind: 'decimal', precision, scale };
}

/** Iceberg writes `list<…>`, SQL `LIST(…)`: the opening bracket decides the closing one. */
function open(reader: TypeReader): string {
  if (reader.take('<')) return '>';
  reader.expect('(');
  return ')';
}

function readList(reader: TypeReader, depth: number): ColumnType {
  const close = open(reader);
  const element = readType(reader, depth + 1);
  reader.expect(close);
  return { kind: 'list', element };
}

function readMap(reader: TypeReader, depth: number): ColumnType {
  const close = open(reader);
  const key = readType(reader, depth + 1);
  reader.expect(',');
  const value = readType(reader, depth + 1);
  reader.expect(close);
  return { kind: 'map', key, value };
}

function readStruct(reader: TypeReader, depth: number): ColumnType {
  const close = open(reader);
  const fields: StructField[] = [];
  const seen = new Set<string>();
  do {
    const name = reader.name();
    if (seen.has(name.toLowerCase())) throw new TypeSyntaxError(`duplicate field "${name}"`);
    seen.add(name.toLowerCase());
    reader.take(':');
    fields.push({ name, type: readType(reader, depth + 1) });
  } while (reader.take(','));
  reader.expect(close);
  return { kind: 'struct', fields };
}

/** Parses a column type in Iceberg or SQL spelling. An error says what is wrong and what is accepted. */
export function parseColumnType(text: string): ParsedColumnType {
  if (text.length > MAX_LENGTH) return { ok: false, message: `A column type has at most ${MAX_LENGTH} characters.` };
  try {
    const reader = new TypeReader(text);
    const type = readType(reader, 0);
    if (!reader.atEnd()) throw new TypeSyntaxError('there is more text after the type');
    return { ok: true, type };
  } catch (error) {
    if (!(error instanceof TypeSyntaxError)) throw error;
    return {
      ok: false,
      message: `"${text.slice(0, 100)}" is not a column type (${error.message}). Write ${COLUMN_TYPE_SYNTAX}.`,
    };
  }
}

/** The canonical spelling of `text`, or null if it isn't a type; for schemas that only validate and store. */
export function normalizeColumnType(text: string): string | null {
  const parsed = parseColumnType(text);
  return parsed.ok ? formatColumnType(parsed.type) : null;
}
