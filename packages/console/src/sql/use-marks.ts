import type { Query } from '@svc/sdk/browser';
import { useMemo, useRef } from 'react';
import { visible } from '../text/visible.ts';
import { errorRange } from './error-range.ts';
import { inEditor } from './line-endings.ts';
import { type ParameterInputs, parameterOfError, parametersOf } from './parameters.ts';

/** Where the error of a statement is, as long as the editor still has this statement. */
export function useErrorMark(sql: string, ran: unknown, failure: Error | Query['error']) {
  const message = failure === null ? '' : 'detail' in failure ? failure.detail : failure.message;
  return useMemo(() => {
    const range = message === '' || ran !== sql ? null : errorRange(inEditor(sql), message);
    return range === null ? null : { range, message: visible(message) };
  }, [sql, ran, message]);
}

/** The parameters of the statement. While it isn't complete, they stay as they were. */
export function useParameters(sql: string): readonly string[] {
  const last = useRef<readonly string[]>([]);
  const found = useMemo(() => parametersOf(sql), [sql]);
  if (found !== null) last.current = found;
  return last.current;
}

/** The parameter that the query failed for, as long as it has the same value. */
export function parameterMark(names: readonly string[], inputs: ParameterInputs, failure: Query['error']) {
  if (failure === null) return null;
  const message = failure.detail;
  const name = parameterOfError(names, inputs, { code: failure.code, message });
  return name === null ? null : { name, message };
}
