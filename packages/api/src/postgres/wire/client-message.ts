import { MessageFields } from './message-fields.ts';
import { ProtocolError } from './protocol-error.ts';

/** 0: text, 1: binary. */
export type Format = 0 | 1;

type Named = { readonly what: 'statement' | 'portal'; readonly name: string };

/** A message of a client after the start-up. */
export type ClientMessage =
  | { readonly kind: 'query'; readonly sql: string }
  | { readonly kind: 'parse'; readonly name: string; readonly sql: string; readonly types: readonly number[] }
  | {
      readonly kind: 'bind';
      readonly portal: string;
      readonly statement: string;
      /** None: all text; one: for all values. */
      readonly formats: readonly Format[];
      readonly values: readonly (Buffer | null)[];
      /** As `formats`, for the columns of the result. */
      readonly resultFormats: readonly Format[];
    }
  | ({ readonly kind: 'describe' } & Named)
  | ({ readonly kind: 'close' } & Named)
  /** `maxRows` 0: all. */
  | { readonly kind: 'execute'; readonly portal: string; readonly maxRows: number }
  | { readonly kind: 'password'; readonly text: string }
  | { readonly kind: 'copy-data'; readonly data: Buffer }
  | { readonly kind: 'copy-done' }
  | { readonly kind: 'copy-fail'; readonly reason: string }
  | { readonly kind: 'flush' | 'sync' | 'terminate' | 'function-call' };

type Decode = (fields: MessageFields) => ClientMessage;

const DECODERS: Readonly<Record<string, Decode>> = {
  Q: (fields) => ({ kind: 'query', sql: fields.text() }),
  P: (fields) => ({
    kind: 'parse',
    name: fields.text(),
    sql: fields.text(),
    types: fields.list(fields.uint16(), 4, () => fields.int32() >>> 0),
  }),
  B: (fields) => ({
    kind: 'bind',
    portal: fields.text(),
    statement: fields.text(),
    formats: formats(fields),
    values: fields.list(fields.uint16(), 4, () => fields.value()),
    resultFormats: formats(fields),
  }),
  D: (fields) => ({ kind: 'describe', ...named(fields) }),
  C: (fields) => ({ kind: 'close', ...named(fields) }),
  E: (fields) => ({ kind: 'execute', portal: fields.text(), maxRows: Math.max(0, fields.int32()) }),
  p: (fields) => ({ kind: 'password', text: fields.text() }),
  d: (fields) => ({ kind: 'copy-data', data: fields.rest() }),
  c: () => ({ kind: 'copy-done' }),
  f: (fields) => ({ kind: 'copy-fail', reason: fields.text() }),
  H: () => ({ kind: 'flush' }),
  S: () => ({ kind: 'sync' }),
  X: () => ({ kind: 'terminate' }),
  F: (fields) => {
    fields.rest();
    return { kind: 'function-call' };
  },
};

/** Whether a message can have this type. */
export const isMessageType = (type: string): boolean => Object.hasOwn(DECODERS, type);

/** @throws ProtocolError */
export function decodeMessage(type: string, body: Buffer): ClientMessage {
  const fields = new MessageFields(body);
  const message = DECODERS[type]!(fields);
  fields.requireEnd();
  return message;
}

const formats = (fields: MessageFields): Format[] =>
  fields.list(fields.uint16(), 2, () => {
    const format = fields.int16();
    if (format === 0 || format === 1) return format;
    throw new ProtocolError(`unsupported format code: ${format}`);
  });

function named(fields: MessageFields): Named {
  const letter = fields.byte();
  if (letter !== 'S' && letter !== 'P') throw new ProtocolError(`invalid message: unknown subtype ${letter}`);
  return { what: letter === 'S' ? 'statement' : 'portal', name: fields.text() };
}
