import type { BreakGlass, CallOptions } from './request.ts';

type CallKey = keyof CallOptions | keyof BreakGlass;

/** Parts a method's one options object into what goes with every call and what is the method's own. */
export function split<T extends CallOptions & BreakGlass>(
  options: T,
): {
  call: CallOptions & BreakGlass;
  rest: Omit<T, CallKey>;
} {
  const { headers, signal, timeout, idempotencyKey, breakGlass, ...rest } = options;
  return { call: { headers, signal, timeout, idempotencyKey, breakGlass }, rest };
}
