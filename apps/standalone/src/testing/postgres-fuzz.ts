import fc from 'fast-check';
import { int, message, startup, text, WireClient } from './postgres-wire.ts';
import { TOKEN } from './test-service.ts';

/** Statements that are cheap, so that many fit into the time. */
const STATEMENTS = [
  ...[
    '',
    ';;',
    '--',
    'SELECT',
    'SELECT 1; SELECT 2',
    'SELECT nothing',
    "SELECT 'ü', NULL, 1.5",
    'SELECT 1/0',
    'VALUES (1), (2)',
  ],
  ...[
    'SELECT $1',
    'SELECT $1::INT + $2',
    'SELECT $3::DATE',
    'SELECT * FROM range(3000)',
    'SELECT * FROM shop.orders WHERE id = $1',
  ],
  ...[
    'BEGIN',
    'START TRANSACTION',
    'COMMIT',
    'ROLLBACK',
    'SAVEPOINT a',
    'ROLLBACK TO a',
    'RELEASE a',
    'PREPARE TRANSACTION $$x$$',
  ],
  ...[
    'DECLARE c CURSOR FOR SELECT * FROM range(9)',
    'DECLARE d CURSOR WITH HOLD FOR SELECT 1',
    'FETCH 2 FROM c',
    'FETCH ALL FROM d',
  ],
  ...[
    'MOVE 1 FROM c',
    'FETCH BACKWARD 1 FROM c',
    'CLOSE c',
    'CLOSE ALL',
    'DEALLOCATE ALL',
    'DEALLOCATE p',
    'DISCARD ALL',
    'RESET ALL',
  ],
  ...[
    'SHOW ALL',
    'SHOW search_path',
    'SHOW nothing',
    "SET search_path = shop, 'x y'",
    'SET nothing = 1',
    "SET client_encoding = 'LATIN1'",
  ],
  ...[
    'SET statement_timeout = 1',
    'SET statement_timeout = 0',
    'SELECT current_schema()',
    'SELECT relname FROM pg_class WHERE oid = $1',
  ],
  ...[
    'COPY (SELECT 1, NULL) TO STDOUT',
    'COPY shop.orders TO STDOUT (FORMAT binary)',
    'COPY shop.nothing TO STDOUT',
    'COPY x',
  ],
  ...[
    'INSERT INTO shop.nothing VALUES ($1)',
    'DELETE FROM shop.orders WHERE id = $1',
    'DROP TABLE shop.orders',
    'LISTEN x',
    'UNLISTEN *',
  ],
];

const sized = (one: Buffer): Buffer => Buffer.concat([int(one.length, 4), one]);
const counted = (all: readonly Buffer[]): Buffer => Buffer.concat([int(all.length, 2), ...all]);
const name = fc.constantFrom('', '', '', '', 'p', 'q', 'c', 'd', 'ü "x"');
const bytes = (max: number) => fc.uint8Array({ maxLength: max }).map((array) => Buffer.from(array));
const sql = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...STATEMENTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
);
const zeroTerminated = fc
  .oneof({ weight: 9, arbitrary: name }, { weight: 1, arbitrary: fc.string({ maxLength: 9 }) })
  .map((value) => text(value.replaceAll('\0', '')));
const statement = sql.map((value) => text(value.replaceAll('\0', '')));
const oid = fc.constantFrom(
  0,
  16,
  17,
  20,
  21,
  23,
  25,
  26,
  114,
  700,
  701,
  1007,
  1009,
  1043,
  1082,
  1114,
  1184,
  1186,
  1700,
  2950,
  999_999,
);
const value = fc.oneof(
  fc.constant(int(-1, 4)),
  fc
    .constantFrom('1', 'x', '', '2026-03-01', '{1,2}', '{', 'NaN', '-9223372036854775809')
    .map((one) => sized(Buffer.from(one))),
  fc.constantFrom(int(7, 4), int(7, 2), Buffer.alloc(8), Buffer.alloc(16)).map(sized),
  bytes(20).map(sized),
);
const formats = fc.array(fc.constantFrom(0, 1), { maxLength: 2 }).map((all) => counted(all.map((one) => int(one, 2))));

const listOf = (one: fc.Arbitrary<Buffer>, maxLength: number) => fc.array(one, { maxLength }).map(counted);
const made = (type: string, ...parts: fc.Arbitrary<Buffer>[]) => fc.tuple(...parts).map((all) => message(type, ...all));

const copyData = made(
  'd',
  fc.oneof(
    fc.constantFrom('1\tx\t\\N\t\\N\n', '2,', '\\.\n', 'PGCOPY\n').map((one) => Buffer.from(one)),
    bytes(30),
  ),
);

/** Well-formed messages by the grammar of the protocol. */
const valid = fc.oneof(
  { weight: 12, arbitrary: made('Q', statement) },
  {
    weight: 6,
    arbitrary: made(
      'P',
      zeroTerminated,
      statement,
      listOf(
        oid.map((one) => int(one, 4)),
        3,
      ),
    ),
  },
  { weight: 6, arbitrary: made('B', zeroTerminated, zeroTerminated, formats, listOf(value, 3), formats) },
  {
    weight: 4,
    arbitrary: made(
      'D',
      fc.constantFrom('S', 'P').map((one) => Buffer.from(one)),
      zeroTerminated,
    ),
  },
  {
    weight: 6,
    arbitrary: made(
      'E',
      zeroTerminated,
      fc.constantFrom(0, 1, 2, 1000, -1).map((one) => int(one, 4)),
    ),
  },
  {
    weight: 2,
    arbitrary: made(
      'C',
      fc.constantFrom('S', 'P').map((one) => Buffer.from(one)),
      zeroTerminated,
    ),
  },
  { weight: 16, arbitrary: made('S') },
  { weight: 2, arbitrary: made('H') },
  { weight: 1, arbitrary: made('F', bytes(12)) },
  {
    weight: 3,
    arbitrary: copyData,
  },
  { weight: 2, arbitrary: made('c') },
  { weight: 1, arbitrary: made('f', zeroTerminated) },
);

/** Messages that belong together, so that more of them run. */
const flow = fc
  .tuple(name, sql, fc.array(value, { minLength: 3, maxLength: 3 }), formats, fc.constantFrom(0, 1), fc.boolean())
  .map(([named, sent, values, format, maxRows, isSynced]) => {
    const of = text(named);
    const bound = counted(values.slice(0, Math.max(0, ...[...sent.matchAll(/\$(\d)/g)].map(([, n]) => Number(n)))));
    const all = [
      message('C', Buffer.from('S'), of),
      message('P', of, text(sent.replaceAll('\0', '')), int(0, 2)),
      message('D', Buffer.from('S'), of),
      message('B', of, of, int(0, 2), bound, format),
      message('E', of, int(maxRows, 4)),
    ];
    return Buffer.concat(isSynced ? [...all, message('S')] : all);
  });
const COPIES = [
  'COPY shop.orders FROM STDIN',
  'COPY shop.orders (id) FROM STDIN (FORMAT csv)',
  'COPY shop.orders FROM STDIN (FORMAT binary)',
  'COPY shop.nothing FROM STDIN',
];

/** Any other message ends a session that waits for rows. */
const copyFlow = fc
  .tuple(fc.constantFrom(...COPIES), fc.array(copyData, { maxLength: 3 }), fc.constantFrom('c', 'f', 'S'))
  .map(([sent, data, end]) =>
    Buffer.concat([message('Q', text(sent)), ...data, end === 'f' ? message('f', text('no')) : message(end)]),
  );

/** One with other bytes: most violate the protocol. */
const mutated = fc
  .tuple(valid, fc.nat(), fc.integer({ min: 0, max: 255 }), fc.constantFrom('byte', 'cut', 'type', 'more', 'length'))
  .map(([one, at, byte, how]) => {
    const copy = Buffer.from(one);
    if (how === 'byte') copy[at % copy.length] = byte;
    if (how === 'type') copy[0] = byte;
    if (how === 'length') copy.writeInt32BE(at % 2 === 0 ? byte : at, 1);
    return how === 'cut'
      ? copy.subarray(0, at % copy.length)
      : how === 'more'
        ? Buffer.concat([copy, Buffer.of(byte)])
        : copy;
  });

const wellFormed = fc.oneof(
  { weight: 120, arbitrary: valid },
  { weight: 40, arbitrary: flow },
  { weight: 2, arbitrary: copyFlow },
);
const anyMessage = fc.oneof({ weight: 80, arbitrary: wellFormed }, { weight: 1, arbitrary: mutated });

/** What one connection sends: `start` before it has signed in. */
interface Conversation {
  readonly start: readonly Uint8Array[] | null;
  readonly messages: readonly Uint8Array[];
  readonly leaves: 'terminates' | 'ends' | 'disappears';
}

const starts = fc.oneof(
  { weight: 12, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.oneof(
        bytes(40),
        valid,
        fc.constant(startup({ user: 'admin', database: 'dev' })),
        fc.constant(startup({}, 80_877_103)),
        fc.constant(message('p', text(TOKEN))),
      ),
      { maxLength: 4 },
    ),
  },
);
const messages = (of: fc.Arbitrary<Buffer>) => fc.array(of, { minLength: 1, maxLength: 60, size: 'max' });
const conversation: fc.Arbitrary<Conversation> = fc.oneof(
  // The answers to all of its messages are read.
  {
    weight: 2,
    arbitrary: fc.record({
      start: fc.constant(null),
      messages: messages(wellFormed),
      leaves: fc.constant('terminates' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      start: starts,
      messages: messages(anyMessage),
      leaves: fc.constantFrom('ends' as const, 'disappears' as const),
    }),
  },
);

export interface FuzzResult {
  readonly sent: number;
  /** How often each SQLSTATE was received. */
  readonly codes: Readonly<Record<string, number>>;
}

const AT_ONCE = 4;

/** Sends about `count` messages over several connections at once, and reads all answers. */
export async function fuzzPostgres(
  port: number,
  { seed, count }: { seed: number; count: number },
): Promise<FuzzResult> {
  const codes: Record<string, number> = {};
  let sent = 0;
  const conversations = fc.sample(conversation, { seed, numRuns: Math.ceil(count / 25) })[Symbol.iterator]();
  const one = async () => {
    for (const { start, messages, leaves } of conversations) {
      if (sent >= count) return;
      const client = start === null ? await WireClient.signedIn(port) : await WireClient.open(port);
      client.send(...(start ?? []), ...messages);
      sent += messages.length + (start?.length ?? 0);
      if (leaves === 'terminates') client.send(message('S'), message('X'));
      if (leaves === 'ends') client.end();
      if (leaves === 'disappears') client.close();
      for (const code of await client.errorsUntilClosed()) codes[String(code)] = (codes[String(code)] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return { sent, codes };
}

/** Opens as many connections as the service allows at once, which it does only if it has released all others. */
export async function opensAll(port: number, count: number): Promise<void> {
  const clients: WireClient[] = [];
  while (clients.length < count) {
    const client = await WireClient.open(port);
    client.send(startup({ user: 'admin', database: 'dev' }), message('p', text(TOKEN)));
    const answers = await client.until('Z');
    // A connection is released soon after it was closed.
    if (answers.at(-1)?.type === 'Z') clients.push(client);
  }
  for (const client of clients) client.close();
}
