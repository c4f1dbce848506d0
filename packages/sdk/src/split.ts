import type { BreakGlass, CallOptions } from './request.ts';

type CallKey = keyof CallOptions | keyof BreakGlass;

/** Splits a method's options into the options of every call and the method's own. */
export function split<T extends CallOptions & BreakGlass>(
  options: T,
): {
  call: CallOptions & BreakGlass;
  rest: Omit<T, CallKey>;
} {
  const { headers, signal, timeout, idempotencyKey, breakGlass, ...rest } = options;
  return { call: { headers, signal, timeout, idempotencyKey, breakGlass }, rest };
}

/** Builds the fields of a request for methods that also accept camel case; undefined fields are left out. */
export function wired<T extends object, N extends { readonly [K in keyof T]?: string }>(
  rest: T,
  names: N,
): Omit<T, keyof N> {
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields.map(([key, value]) => [names[key as keyof N] ?? key, value])) as Omit<T, keyof N>;
}
