import type { QueryParam, QueryParams } from '@svc/core/queries';
import { type Token, tokenize } from '@svc/core/sql-tokens';
import { unsupported } from '../sessions/session-error.ts';
import { literalOf } from './session-statement.ts';

/** A call of `set_config`; null stands for the default. */
export interface SettingCall {
  readonly name: string;
  readonly value: string | null;
  /** Only until the transaction finishes. */
  readonly isLocal: boolean;
}

/**
 * What the calls of `set_config` in a statement set.
 *
 * @throws SessionError for a call whose arguments are neither constants nor parameters
 */
export function settingCalls(sql: string, params: QueryParams | null): SettingCall[] {
  const { tokens } = tokenize(sql);
  return tokens.flatMap((token, i) =>
    token.upper === 'SET_CONFIG' && tokens[i + 1]?.text === '(' ? [callOf(argumentsFrom(tokens, i + 2), params)] : [],
  );
}

/** The tokens of each argument, up to the closing parenthesis. */
function argumentsFrom(tokens: readonly Token[], start: number): Token[][] {
  const found: Token[][] = [[]];
  const depth = tokens[start - 1]!.depth;
  for (const token of tokens.slice(start)) {
    if (token.text === ')' && token.depth === depth) break;
    if (token.text === ',' && token.depth === depth + 1) found.push([]);
    else found.at(-1)!.push(token);
  }
  return found;
}

/** `'name', 'value', is_local` */
function callOf([first, second, third]: readonly (readonly Token[])[], params: QueryParams | null): SettingCall {
  const [name, value] = [textOf(first, params), textOf(second, params)];
  if (name === null || name === undefined || value === undefined)
    throw unsupported('set_config needs its name and value as constant texts or parameters.', 'Use SET.');
  return { name, value, isLocal: LOCAL.has(textOf(third, params)?.toLowerCase() ?? '') };
}

const LOCAL: ReadonlySet<string> = new Set(['true', 't', 'yes', 'on', '1']);

/** The text of a constant or parameter, which may have a cast; undefined for another expression. */
function textOf(argument: readonly Token[] | undefined, params: QueryParams | null): string | null | undefined {
  const tokens = argument?.[0]?.upper === 'CAST' ? castOperand(argument) : argument;
  const [token, colon] = tokens ?? [];
  if (token === undefined || (colon !== undefined && colon.text !== ':')) return undefined;
  if (token.kind === 'parameter')
    return parameterText(Array.isArray(params) ? params[Number(token.text.slice(1)) - 1] : null);
  if (token.upper === 'NULL') return null;
  return token.kind === 'literal' || LOCAL.has(token.text.toLowerCase()) || token.upper === 'FALSE'
    ? literalOf(token)
    : undefined;
}

/** `CAST ( operand AS type )` */
const castOperand = (tokens: readonly Token[]): readonly Token[] =>
  tokens.slice(
    2,
    Math.max(
      2,
      tokens.findIndex(({ upper }) => upper === 'AS'),
    ),
  );

function parameterText(param: QueryParam | undefined): string | null {
  if (param === null || param === undefined) return null;
  return String(typeof param === 'object' ? param.value : param);
}
