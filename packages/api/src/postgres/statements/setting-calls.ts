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

/** What the calls of `set_config` in a statement set. @throws SessionError for a call whose arguments aren't constants */
export function settingCalls(sql: string): SettingCall[] {
  const { tokens } = tokenize(sql);
  return tokens.flatMap((token, i) =>
    token.upper === 'SET_CONFIG' && tokens[i + 1]?.text === '(' ? [callOf(tokens.slice(i + 2, i + 7))] : [],
  );
}

/** `'name', 'value', is_local` */
function callOf([name, first, value, second, third]: readonly Token[]): SettingCall {
  const isNull = value?.upper === 'NULL';
  if (!isText(name) || first?.text !== ',' || !(isNull || isText(value)) || second?.text !== ',')
    throw unsupported('set_config needs its name and value as constant texts.', 'Use SET.');
  const isLocal = third !== undefined && LOCAL.has(literalOf(third).toLowerCase());
  return { name: literalOf(name!), value: isNull ? null : literalOf(value!), isLocal };
}

const LOCAL: ReadonlySet<string> = new Set(['true', 't', 'yes', 'on', '1']);

const isText = (token: Token | undefined): boolean => token?.kind === 'literal' && token.text.endsWith("'");
