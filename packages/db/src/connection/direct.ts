import type { Traces } from '@svc/core/traces';
import pg from 'pg';
import { Prisma, type PrismaClient } from '../generated/client.ts';
import { preparedName } from './prepared.ts';
import { DATABASE_SPAN } from './spans.ts';

const INT8 = 20;
const INT8_ARRAY = 1016;
const NUMERIC = 1700;
const TIMESTAMP = 1114;
const DATE = 1082;
const TEXT_ARRAY = 1009;

const parserOf = pg.types.getTypeParser as (type: number, format?: string) => (text: string) => unknown;
const textArray = parserOf(TEXT_ARRAY) as (text: string) => (string | null)[];

/** Parsers for types that the driver returns differently from Prisma. */
const PARSERS: Record<number, (text: string) => unknown> = {
  [INT8]: BigInt,
  [INT8_ARRAY]: (text) => textArray(text).map((value) => (value === null ? null : BigInt(value))),
  [NUMERIC]: (text) => new Prisma.Decimal(text),
  [TIMESTAMP]: (text) => new Date(`${text.replace(' ', 'T')}Z`),
  [DATE]: (text) => new Date(`${text}T00:00:00Z`),
};

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && PARSERS[oid]) || parserOf(oid, format),
};

/** The name of an unprepared statement in a trace. */
const verbOf = (text: string): string => /[a-z]+/i.exec(text)?.[0].toUpperCase() ?? 'statement';

/** The driver would serialize a date in local time. */
const parameter = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);

type Raw = [query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]];

/**
 * Returns a client whose `$queryRaw` and `$executeRaw` go directly to the pool, because Prisma's own path costs about
 * as much as a short statement. Parameters and results stay the same. Inside a transaction Prisma's path is used,
 * because Prisma owns that connection.
 */
export function withDirectStatements(prisma: PrismaClient, pool: pg.Pool, traces: Traces | undefined): PrismaClient {
  const run = ([query, ...values]: Raw) => {
    const { text, values: all } = query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
    const name = preparedName({ sql: text });
    const send = () => pool.query({ name, text, values: all.map(parameter), types });
    return traces === undefined ? send() : traces.inChildSpan({ name: name || verbOf(text), ...DATABASE_SPAN }, send);
  };
  const direct = {
    $queryRaw: async (...raw: Raw) => (await run(raw)).rows,
    $executeRaw: async (...raw: Raw) => (await run(raw)).rowCount ?? 0,
  };
  // A proxy around the client rather than an extension: Prisma derives the client of a transaction from the extended
  // one.
  return new Proxy(prisma, {
    get: (target, name) => {
      if (name === '$queryRaw' || name === '$executeRaw') return direct[name];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
