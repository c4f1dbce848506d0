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

/** The fields of a request, where a method also takes some in camel case. What is not given is left out. */
export function wired<T extends object, N extends { readonly [K in keyof T]?: string }>(
  rest: T,
  names: N,
): Omit<T, keyof N> {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([key, value]) => [names[key as keyof N] ?? key, value])) as Omit<T, keyof N>;
}
