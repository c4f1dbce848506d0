import type { Endpoint } from '@svc/core/contract';
import type { endpoints } from '@svc/core/routes';
import { routes } from './generated/routes.ts';

type Table = typeof endpoints;
type NamesOf<G extends keyof Table & string> = `${G}.${keyof Table[G] & string}`;

/** A route by feature and name, such as `tables.list`. */
export type RouteName = { [G in keyof Table & string]: NamesOf<G> }[keyof Table & string];

type EndpointOf<N extends RouteName> = N extends `${infer G extends keyof Table & string}.${infer K}`
  ? K extends keyof Table[G]
    ? Table[G][K]
    : never
  : never;

// An endpoint without parameters, query or body infers the widest schema: recognised by its index signature.
type Declared<T, Else> = string extends keyof T ? Else : T;
// Input and output of a schema of the contract, without a dependency on the schema library.
type InputOf<S> = S extends { _zod: { input: infer I } } ? I : never;
type OutputOf<S> = S extends { _zod: { output: infer O } } ? O : never;

type Parts<E> = E extends Endpoint<infer P, infer Q, infer B, infer A> ? { p: P; q: Q; b: B; a: A } : never;
type PartsOf<N extends RouteName> = Parts<EndpointOf<N>>;

/** Parameters are texts on the wire; a text parameter also accepts numbers, booleans, times and lists. */
type Loose<V> = V extends undefined
  ? undefined
  : V extends string
    ? string extends V
      ? string | number | boolean | Date | readonly string[]
      : V | (V extends 'true' | 'false' ? boolean : never)
    : V;

export type ParamsOf<N extends RouteName> = Declared<InputOf<PartsOf<N>['p']>, Record<never, never>>;
export type QueryOf<N extends RouteName> = {
  [K in keyof Declared<InputOf<PartsOf<N>['q']>, Record<never, never>>]?:
    | Loose<Declared<InputOf<PartsOf<N>['q']>, Record<never, never>>[K]>
    | undefined;
};
type ReadonlyList<V> = V extends readonly (infer I)[] ? readonly I[] : V;
type ReadonlyLists<B> = { [K in keyof B]: ReadonlyList<B[K]> };
/** The request body. Clients never change a list that they are given. */
export type BodyOf<N extends RouteName> = ReadonlyLists<InputOf<PartsOf<N>['b']>>;
/** The response body; `undefined` for a response without one. */
export type AnswerOf<N extends RouteName> =
  unknown extends OutputOf<PartsOf<N>['a']> ? undefined : OutputOf<PartsOf<N>['a']>;
/** The record of a list. */
export type ItemOf<N extends RouteName> = AnswerOf<N> extends readonly (infer I)[] ? I : never;

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly keyed?: boolean;
}

// The type proves that the generated table is complete; `npm run verify generated` proves that it is up to date.
const table: Record<RouteName, Route> = routes;

export function routeOf(name: RouteName): Route {
  return table[name];
}
