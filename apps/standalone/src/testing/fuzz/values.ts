import type { Dice } from './dice.ts';
import type { Schema } from './document.ts';

/** Plausible values of a field with this name; those that the schema rejects aren't used. */
export type Suggest = (name: string) => readonly unknown[];

const NASTY_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff x',
  '\u202etxt.exe',
  '\ufeffbom',
  '👩‍👩‍👧‍👦',
  'é',
  'é'.normalize('NFD'),
  '*',
  '%',
  '_',
  '..',
  '../../etc/passwd',
  '..\\..\\x',
  '/',
  "' OR 1=1 --",
  '"; DROP TABLE runs; --',
  '$' + '{jndi:ldap://x}',
  '<script>alert(1)</script>',
  '\r\nSet-Cookie: a=b',
  '\x1b[31m',
  '=1+1',
  '__proto__',
  'constructor',
  'null',
  'true',
  '-1',
  '1e999',
  '00000000-0000-0000-0000-000000000000',
  'A'.repeat(300),
  'x'.repeat(70_000),
  '9999-12-31',
  '0001-01-01T00:00:00Z',
  '2026-02-30',
  '+010000-01-01T00:00:00Z',
  '2026-03-29T02:30:00',
];

const NASTY_NUMBERS = [0, -0, -1, 1, 0.5, 1e21, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, 5e-324, 3650, 3651, 200, 201];

/** Any JSON. */
export function anything(dice: Dice, depth = 3): unknown {
  const kind = dice.below(depth > 0 ? 8 : 6);
  if (kind === 0) return null;
  if (kind === 1) return dice.chance(0.5);
  if (kind === 2) return dice.pick(NASTY_NUMBERS);
  if (kind < 6) return dice.pick(NASTY_TEXTS);
  const inside = Array.from({ length: dice.below(4) }, () => anything(dice, depth - 1));
  return kind === 6 ? inside : Object.fromEntries(inside.map((value) => [dice.pick(NASTY_TEXTS), value]));
}

export const nastyText = (dice: Dice): string => dice.pick(NASTY_TEXTS);

const matches = (schema: Schema, text: string): boolean =>
  (schema.enum === undefined || schema.enum.includes(text)) &&
  text.length >= (schema.minLength ?? 0) &&
  text.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY) &&
  (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(text));

const PLAIN = ['a', 'fuzz', 'Fuzz_1', '2026-12-01', '2027-01-01T00:00:00Z', '7', '1', 'main', 'true', 'raw.fuzz'];

function text(dice: Dice, schema: Schema, name: string, suggest: Suggest): string {
  const suggested = suggest(name).filter((value) => typeof value === 'string' && matches(schema, value));
  if (suggested.length > 0 && dice.chance(0.85)) return dice.pick(suggested) as string;
  const fitting = [...PLAIN, ...NASTY_TEXTS].filter((value) => matches(schema, value));
  return fitting.length > 0 ? dice.pick(fitting) : 'a';
}

/** A valid value, as far as the schema says. */
export function fitting(dice: Dice, schema: Schema, name: string, suggest: Suggest): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return dice.pick(schema.enum);
  if (schema.anyOf !== undefined) return fitting(dice, dice.pick(schema.anyOf), name, suggest);
  switch (schema.type) {
    case 'string':
      return text(dice, schema, name, suggest);
    case 'boolean':
      return dice.chance(0.5);
    case 'null':
      return null;
    case 'integer':
    case 'number': {
      const { minimum = -5, maximum = 1000 } = schema;
      return dice.pick([minimum, maximum, minimum + 1, Math.min(maximum, minimum + dice.below(50))]);
    }
    case 'array': {
      const length = Math.max(schema.minItems ?? 0, dice.below(3));
      return Array.from({ length }, () => fitting(dice, schema.items ?? {}, name, suggest));
    }
    case 'object':
      return object(dice, schema, suggest);
    default:
      return anything(dice, 2);
  }
}

function object(dice: Dice, schema: Schema, suggest: Suggest): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(schema.properties ?? {}))
    if (schema.required?.includes(name) || dice.chance(0.35)) out[name] = fitting(dice, inner, name, suggest);
  if (typeof schema.additionalProperties === 'object')
    for (const name of ['username', 'password']) out[name] = fitting(dice, schema.additionalProperties, name, suggest);
  return out;
}

/** A valid value with one fault in it. */
export function nearlyFitting(dice: Dice, schema: Schema, suggest: Suggest): unknown {
  const value = fitting(dice, schema, '', suggest);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return anything(dice);
  const entries = value as Record<string, unknown>;
  const names = Object.keys(schema.properties ?? {});
  const name = names.length > 0 ? dice.pick(names) : 'x';
  const inner = schema.properties?.[name] ?? {};
  switch (dice.below(6)) {
    case 0:
      delete entries[name];
      return entries;
    case 1:
      return { ...entries, [nastyText(dice)]: anything(dice) };
    case 2:
      return { ...entries, [name]: null };
    case 3:
      return { ...entries, [name]: beyond(dice, inner) };
    default:
      return { ...entries, [name]: anything(dice) };
  }
}

function beyond(dice: Dice, { minimum, maximum, minLength, maxLength, maxItems, items }: Schema): unknown {
  if (maximum !== undefined) return dice.pick([maximum + 1, (minimum ?? 0) - 1, maximum + 0.5]);
  if (maxLength !== undefined) return 'x'.repeat(Math.min(maxLength + 1, 200_000));
  if (minLength !== undefined) return '';
  if (items !== undefined) return Array.from({ length: Math.min((maxItems ?? 2000) + 1, 3000) }, () => 'x');
  return anything(dice);
}
