import { parseStatement } from '../statements/parse-statement.ts';
import { splitStatements } from '../statements/split.ts';
import { decodeParameters, type Format, formatOf, needsType, typeOfNumeral } from '../values/index.ts';
import type { ClientMessage } from '../wire/client-message.ts';
import * as server from '../wire/server-message.ts';
import { CopyStatements } from './copy-statements.ts';
import { fetchRows } from './fetch.ts';
import { isCharacters, operandsOf, TEXT } from './parameter-casts.ts';
import { type Description, describeColumns, type Portal, type Prepared, requireExpected } from './portals.ts';
import { dataRowsTo } from './row-output.ts';
import { isRejection, SessionError } from './session-error.ts';
import type { SessionOptions } from './session-options.ts';
import type { StatementRunner } from './statement-runner.ts';
import { verifyToken } from './verify-token.ts';
import { sendWarnings } from './warnings.ts';

type Message<K extends ClientMessage['kind']> = Extract<ClientMessage, { kind: K }>;

/** Prepared statements with parameters, and portals that return their rows in parts. */
export class ExtendedProtocol {
  private readonly runner: StatementRunner;
  private readonly options: SessionOptions;
  private readonly copies: CopyStatements;

  constructor(runner: StatementRunner, options: SessionOptions) {
    this.runner = runner;
    this.options = options;
    this.copies = new CopyStatements(runner, options);
  }

  /** @throws SessionError */
  parse({ name, sql, types }: Message<'parse'>): void {
    const [first, ...rest] = splitStatements(sql);
    if (rest.length > 0) throw new SessionError('42601', 'cannot insert multiple commands into a prepared statement');
    const statement = first === undefined ? ({ kind: 'empty' } as const) : parseStatement(first);
    this.runner.prepared.set(name, {
      size: sql.length + 100,
      statement,
      declaredTypes: types.map((type) => (type === UNKNOWN ? 0 : type)),
      operands: operandsOf(sql),
      described: null,
    });
    this.options.sink.send(server.PARSE_COMPLETE);
  }

  /** @throws SessionError, PgValueError */
  async bind({ portal: name, statement: from, values, resultFormats, ...sent }: Message<'bind'>): Promise<void> {
    const prepared = this.runner.prepared.get(from);
    const { declaredTypes, operands } = prepared;
    // The binary form of a text is the text.
    const formats = values.map((_, i) => (isCharacters(declaredTypes[i] ?? 0) ? 0 : formatOf(sent.formats, i)));
    const known = values.map((value, i) => {
      const declared = declaredTypes[i] ?? 0;
      const text = formats[i] === 1 ? '' : shortText(value);
      if (declared !== 0 && !(isCharacters(declared) && needsType(text))) return declared;
      return operands.has(i) ? (typeOfNumeral(text) ?? 0) : 0;
    });
    const untyped = values.filter((_, i) => !known[i]);
    const isReadable = values.every((value, i) => known[i] || isText(value, formats[i]!));
    const described =
      isReadable && !untyped.some(isReadDifferently)
        ? prepared.described
        : await this.descriptionFor(prepared, { isReadable });
    // Without the value, the engine has no type for an operand of a date or time.
    const types = described?.parameterTypes.map((type, i) => (type === TEXT && known[i]) || type) ?? known;
    if (described !== null && described.parameterTypes.length !== values.length)
      throw new SessionError(
        '08P01',
        `bind message supplies ${values.length} parameters, but the statement requires ${described.parameterTypes.length}`,
      );
    const params = values.length === 0 ? null : decodeParameters(types, formats, values);
    const size = values.reduce((sum, value) => sum + (value?.length ?? 0), 100);
    const replaced = this.runner.portals.set(name, {
      size,
      ...{ statement: prepared.statement, params, parameterTypes: types, formats: resultFormats },
      ...{
        expected: prepared.described?.columns ?? null,
        isLasting: false,
        execution: null,
        returned: 0,
        isFinished: false,
      },
    });
    await replaced?.execution?.rows?.close();
    this.options.sink.send(server.BIND_COMPLETE);
  }

  /** @throws SessionError, ServiceError */
  async describe({ what, name }: Message<'describe'>): Promise<void> {
    const { sink } = this.options;
    if (what === 'statement') {
      const prepared = this.runner.prepared.get(name);
      const { parameterTypes, columns } = await this.descriptionOf(prepared);
      const types = parameterTypes.map((type, i) => (type === TEXT && prepared.declaredTypes[i]) || type);
      sink.send(server.parameterDescription(types), describedColumns(columns, []));
      return;
    }
    const portal = this.runner.portals.get(name);
    portal.expected = null;
    // A SELECT has to run for its columns; its rows wait for Execute.
    if (readsRows(portal) || portal.statement.kind === 'show') portal.execution ??= await this.startOf(portal);
    const columns =
      portal.statement.kind === 'fetch' ? this.cursorColumns(portal.statement.name) : portal.execution?.columns;
    sink.send(describedColumns(columns ?? null, portal.formats));
  }

  /** @throws SessionError, ServiceError */
  async execute({ portal: name, maxRows }: Message<'execute'>): Promise<void> {
    const { sink } = this.options;
    const portal = this.runner.portals.get(name);
    const { statement, formats } = portal;
    if (statement.kind === 'empty') return sink.send(server.EMPTY_QUERY);
    if (statement.kind === 'copy') return this.copies.run(statement.sql);
    if (statement.kind === 'fetch')
      return fetchRows(this.runner, this.options, statement, { describe: false, formats });
    if (portal.isFinished && portal.execution?.rows === null)
      throw new SessionError('55000', `portal "${name}" cannot be run anymore`);
    if (portal.returned > 0 && !portal.isFinished) await verifyToken(this.options);
    portal.execution ??= await this.startOf(portal);
    const { columns, rows, tag, warnings } = portal.execution;
    if (columns !== null) requireExpected(columns, portal);
    sendWarnings(sink, portal.returned === 0 ? warnings : []);
    if (rows === null || portal.isFinished) {
      portal.isFinished = true;
      return sink.send(server.commandComplete(tag(0)));
    }
    const max = maxRows === 0 ? Number.POSITIVE_INFINITY : maxRows;
    const read = await this.runner.queries.read(portal.execution, max, dataRowsTo(sink, formats));
    portal.returned += read;
    portal.isFinished = read < max;
    sink.send(portal.isFinished ? server.commandComplete(tag(portal.returned)) : server.PORTAL_SUSPENDED);
  }

  async close({ what, name }: Message<'close'>): Promise<void> {
    if (what === 'statement') this.runner.prepared.delete(name);
    else await this.runner.portals.delete(name)?.execution?.rows?.close();
    this.options.sink.send(server.CLOSE_COMPLETE);
  }

  private async descriptionOf(prepared: Prepared): Promise<Description> {
    prepared.described ??= await this.runner.describe(prepared);
    return prepared.described;
  }

  /** Null if the values can be read without it and the engine can't describe the statement, such as one with VALUES. */
  private async descriptionFor(
    prepared: Prepared,
    { isReadable }: { isReadable: boolean },
  ): Promise<Description | null> {
    try {
      return await this.descriptionOf(prepared);
    } catch (error) {
      if (isReadable && isRejection(error)) return null;
      throw error;
    }
  }

  /** @throws SessionError, ServiceError */
  private async startOf(portal: Portal): ReturnType<StatementRunner['start']> {
    if (readsRows(portal)) this.runner.requireFewWaiting();
    const { statement, params, parameterTypes } = portal;
    return this.runner.start(statement, params, parameterTypes);
  }

  private cursorColumns(name: string): Description['columns'] {
    return this.runner.portals.get(name).execution?.columns ?? null;
  }
}

const readsRows = ({ statement }: Portal): boolean =>
  statement.kind === 'explain' || (statement.kind === 'query' && statement.changes === null);

/** Longer texts are neither numbers nor times. */
const MAX_SHORT_BYTES = 1100;

const shortText = (value: Buffer | null): string =>
  value === null || value.length > MAX_SHORT_BYTES ? '' : value.toString('latin1');

/** Whether the engine could read the text of a value in another way than PostgreSQL. */
const isReadDifferently = (value: Buffer | null): boolean =>
  needsType(shortText(value)) || value?.subarray(0, 2).toString('latin1') === String.raw`\x`;

/** The type that some clients declare for a text whose type they don't know. */
const UNKNOWN = 705;

const BRACES = ['{'.charCodeAt(0), '}'.charCodeAt(0)] as const;

/**
 * Whether a value can be read without its type: the engine casts a text as the statement needs, except an array, which it writes
 * differently. The binary form of a value doesn't show its type.
 */
const isText = (value: Buffer | null, format: Format): boolean =>
  value === null || (format === 0 && (value[0] !== BRACES[0] || value.at(-1) !== BRACES[1]));

const describedColumns = (columns: Description['columns'], formats: Portal['formats']): Buffer =>
  columns === null ? server.NO_DATA : server.rowDescription(describeColumns(columns, formats));
