import { type Token, tokenize } from '@svc/core/sql-tokens';
import { unsupported } from '../sessions/session-error.ts';
import { literalOf } from './session-statement.ts';

/** A call of `set_config`; null stands for the default. */
export interface SettingCall {
  readonly name: string;
  readonly value: string | null;
}

/** What the calls of `set_config` in a statement set. @throws SessionError for a call whose arguments aren't constants */
export function settingCalls(sql: string): SettingCall[] {
  const { tokens } = tokenize(sql);
  return tokens.flatMap((token, i) =>
    token.upper === 'SET_CONFIG' && tokens[i + 1]?.text === '(' ? [callOf(tokens.slice(i + 2, i + 6))] : [],
  );
}

/** `'name', 'value', …` */
function callOf([name, first, value, second]: readonly Token[]): SettingCall {
  const isNull = value?.upper === 'NULL';
  if (!isText(name) || first?.text !== ',' || !(isNull || isText(value)) || second?.text !== ',')
    throw unsupported('set_config needs its name and value as constant texts.', 'Use SET.');
  return { name: literalOf(name!), value: isNull ? null : literalOf(value!) };
}

const isText = (token: Token | undefined): boolean => token?.kind === 'literal' && token.text.endsWith("'");
