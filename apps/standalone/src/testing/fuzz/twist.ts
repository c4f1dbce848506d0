import type { Dice } from './dice.ts';
import { anything, nastyText } from './values.ts';

/** Numbers that JSON.stringify wouldn't write: placeholders until {@link written}. */
const RAW = /"@number:([^"]+)"/g;
const HUGE = [
  '1e400',
  '-1e400',
  '9223372036854775807',
  '-9223372036854775808',
  '9223372036854775808',
  '1'.repeat(400),
  '0.1e-400',
  '-0',
];
const NUMBERS = [-1, 0, 0.5, 2 ** 31, 2 ** 31 - 1, 2 ** 53, 1e300, -(2 ** 53)];

/** JSON of a value whose texts may represent raw numbers. */
export const written = (value: unknown): string => JSON.stringify(value)?.replaceAll(RAW, '$1') ?? '';

/** The same value with one change somewhere inside; `locations` suggests other targets for it. */
export function twisted(dice: Dice, value: unknown, locations: readonly string[]): unknown {
  const inside = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (inside.length === 0 || dice.chance(0.15)) return other(dice, value, locations);
  const key = dice.pick(inside);
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...(value as object) };
  const at = copy as Record<string, unknown>;
  const how = dice.below(12);
  if (how === 0) delete at[key];
  else if (how === 1) define(copy, nastyText(dice).slice(0, 1000), anything(dice));
  else if (how === 2 && Array.isArray(copy)) copy.push(...copy);
  else if (how === 3 && !Array.isArray(copy)) define(copy, '__proto__', { polluted: true });
  else at[key] = twisted(dice, at[key], locations);
  return copy;
}

/** Sets a property of the object itself, also one named `__proto__`. */
const define = (object: object, name: string, value: unknown) =>
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });

function other(dice: Dice, value: unknown, locations: readonly string[]): unknown {
  const how = dice.below(10);
  if (how === 0) return null;
  if (how === 1) return nested(dice.pick([10, 70, 300]));
  if (typeof value === 'number' || how === 2)
    return dice.chance(0.4) ? `@number:${dice.pick(HUGE)}` : dice.pick(NUMBERS);
  if (typeof value === 'string' && how < 7)
    return dice.chance(0.5) ? dice.pick(locations) : nastyText(dice).slice(0, 2000);
  return anything(dice);
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { type: 'struct', fields: value };
  return value;
}
