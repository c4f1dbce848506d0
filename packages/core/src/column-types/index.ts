/** Column types on the wire: Iceberg names; SQL spellings are accepted and normalized (TABLE-3). */

export type PrimitiveKind =
  | 'boolean'
  | 'int'
  | 'long'
  | 'float'
  | 'double'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz'
  | 'string'
  | 'uuid'
  | 'binary';

export type StructField = { readonly name: string; readonly type: ColumnType };

export type ColumnType =
  | { readonly kind: PrimitiveKind }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'list'; readonly element: ColumnType }
  | { readonly kind: 'map'; readonly key: ColumnType; readonly value: ColumnType }
  | { readonly kind: 'struct'; readonly fields: readonly StructField[] };

export type ParsedColumnType =
  | { readonly ok: true; readonly type: ColumnType }
  | { readonly ok: false; readonly message: string };

/** The accepted syntax, for error messages. */
export const COLUMN_TYPE_SYNTAX =
  'boolean, int, long, float, double, decimal(p,s), date, time, timestamp, timestamptz, string, uuid, binary, ' +
  'list<type>, map<type,type> or struct<name: type, …>';

const MAX_DEPTH = 16;
const MAX_LENGTH = 10_000;

const ALIASES: Readonly<Record<string, PrimitiveKind>> = {
  boolean: 'boolean',
  bool: 'boolean',
  logical: 'boolean',
  tinyint: 'int',
  smallint: 'int',
  int1: 'int',
  int2: 'int',
  short: 'int',
  int: 'int',
  integer: 'int',
  int4: 'int',
  signed: 'int',
  bigint: 'long',
  int8: 'long',
  long: 'long',
  float: 'float',
  float4: 'float',
  real: 'float',
  double: 'double',
  'double precision': 'double',
  float8: 'double',
  date: 'date',
  time: 'time',
  'time without time zone': 'time',
  timestamp: 'timestamp',
  datetime: 'timestamp',
  'timestamp without time zone': 'timestamp',
  timestamptz: 'timestamptz',
  'timestamp with time zone': 'timestamptz',
  string: 'string',
  varchar: 'string',
  'character varying': 'string',
  char: 'string',
  character: 'string',
  bpchar: 'string',
  nvarchar: 'string',
  text: 'string',
  uuid: 'uuid',
  binary: 'binary',
  varbinary: 'binary',
  blob: 'binary',
  bytea: 'binary',
};

/** Spellings with an optional length, which svc ignores: `varchar(20)`. */
const LENGTH_TYPES = new Set([
  'varchar',
  'character varying',
  'char',
  'character',
  'bpchar',
  'nvarchar',
  'text',
  'string',
]);

class TypeSyntaxError extends Error {}

type Token = { readonly text: string; readonly quoted: boolean };

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /\s+|"((?:[^"]|"")+)"|([\p{L}_][\p{L}\p{N}_$]*|\p{N}+)|([<>()[\],:])/uy;
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(text);
    if (!match) throw new TypeSyntaxError(`unexpected "${text[at]}"`);
    if (match[1] !== undefined) tokens.push({ text: match[1].replaceAll('""', '"'), quoted: true });
    else if (match[2] ?? match[3]) tokens.push({ text: (match[2] ?? match[3])!, quoted: false });
  }
  return tokens;
}

class Reader {
  private at = 0;
  private readonly tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  is(text: string): boolean {
    const token = this.tokens[this.at];
    return token !== undefined && !token.quoted && token.text.toLowerCase() === text;
  }

  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.at += 1;
    return true;
  }

  expect(text: string): void {
    if (!this.take(text)) throw new TypeSyntaxError(`expected "${text}"`);
  }

  name(): string {
    const token = this.tokens[this.at];
    if (!token || (!token.quoted && !/^[\p{L}_]/u.test(token.text))) throw new TypeSyntaxError('expected a field name');
    this.at += 1;
    return token.text;
  }

  nextToken(): string {
    const token = this.tokens[this.at];
    if (!token || token.quoted || !/^[\p{L}_]/u.test(token.text)) throw new TypeSyntaxError('expected a type name');
    this.at += 1;
    return token.text.toLowerCase();
  }

  integer(): number {
    const token = this.tokens[this.at];
    if (!token || token.quoted || !/^[0-9]{1,9}$/.test(token.text)) throw new TypeSyntaxError('expected a number');
    this.at += 1;
    return Number(token.text);
  }

  atEnd(): boolean {
    return this.at === this.tokens.length;
  }
}

function readType(reader: Reader, depth: number): ColumnType {
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

function readSingle(reader: Reader, depth: number): ColumnType {
  const token = reader.nextToken();
  if (token === 'decimal' || token === 'numeric' || token === 'dec') return readDecimal(reader);
  if (token === 'list' || token === 'array') return readList(reader, depth);
  if (token === 'map') return readMap(reader, depth);
  if (token === 'struct' || token === 'row') return readStruct(reader, depth);
  return { kind: readPrimitive(reader, token) };
}

function readPrimitive(reader: Reader, first: string): PrimitiveKind {
  let name = first;
  if (first === 'double' && reader.take('precision')) name = 'double precision';
  if (first === 'character' && reader.take('varying')) name = 'character varying';
  if ((first === 'timestamp' || first === 'time') && (reader.is('with') || reader.is('without'))) {
    name += ` ${reader.nextToken()}`;
    reader.expect('time');
    reader.expect('zone');
    name += ' time zone';
  }
  const kind = ALIASES[name];
  if (!kind || !Object.hasOwn(ALIASES, name)) throw new TypeSyntaxError(`unknown type "${name}"`);
  if (LENGTH_TYPES.has(name) && reader.take('(')) {
    reader.integer();
    reader.expect(')');
  }
  return kind;
}

function readDecimal(reader: Reader): ColumnType {
  if (!reader.take('(')) return { kind: 'decimal', precision: 18, scale: 3 };
  const precision = reader.integer();
  const scale = reader.take(',') ? reader.integer() : 0;
  reader.expect(')');
  if (precision < 1 || precision > 38) throw new TypeSyntaxError('the precision of a decimal is 1 to 38');
  if (scale > precision) throw new TypeSyntaxError('the scale of a decimal is at most its precision');
  return { kind: 'decimal', precision, scale };
}

/** Iceberg writes `list<…>`, SQL `LIST(…)`: the opening bracket decides the closing one. */
function open(reader: Reader): string {
  if (reader.take('<')) return '>';
  reader.expect('(');
  return ')';
}

function readList(reader: Reader, depth: number): ColumnType {
  const close = open(reader);
  const element = readType(reader, depth + 1);
  reader.expect(close);
  return { kind: 'list', element };
}

function readMap(reader: Reader, depth: number): ColumnType {
  const close = open(reader);
  const key = readType(reader, depth + 1);
  reader.expect(',');
  const value = readType(reader, depth + 1);
  reader.expect(close);
  return { kind: 'map', key, value };
}

function readStruct(reader: Reader, depth: number): ColumnType {
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
    const reader = new Reader(tokenize(text));
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

/** The canonical spelling of a type on the wire. `parseColumnType` parses it back to an equal type. */
export function formatColumnType(type: ColumnType): string {
  switch (type.kind) {
    case 'decimal':
      return `decimal(${type.precision},${type.scale})`;
    case 'list':
      return `list<${formatColumnType(type.element)}>`;
    case 'map':
      return `map<${formatColumnType(type.key)},${formatColumnType(type.value)}>`;
    case 'struct':
      return `struct<${type.fields.map((f) => `${formatName(f.name)}: ${formatColumnType(f.type)}`).join(', ')}>`;
    default:
      return type.kind;
  }
}

function formatName(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** The canonical spelling of `text`, or null if it isn't a type; for schemas that only validate and store. */
export function normalizeColumnType(text: string): string | null {
  const parsed = parseColumnType(text);
  return parsed.ok ? formatColumnType(parsed.type) : null;
}
