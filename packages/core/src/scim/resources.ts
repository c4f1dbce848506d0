import * as z from 'zod';
import { principalName } from '../access/names.ts';
import { isStorable } from '../contract/index.ts';
import { emailAddress } from '../identity-providers/index.ts';

const text = (max = 1024) => z.string().max(max).refine(isStorable, 'must not contain NUL or lone surrogates');
const optionalText = text().nullish();

/** Entra ID sends booleans as texts. */
const boolean = z.union([
  z.boolean(),
  z
    .string()
    .regex(/^(?:true|false)$/i)
    .transform((value) => value.toLowerCase() === 'true'),
]);

/** An object whose names may have any case (RFC 7643, 2.1). Names that aren't in the shape are left as they are. */
export function attributes<T extends z.ZodRawShape>(shape: T) {
  const known = new Map(Object.keys(shape).map((name) => [name.toLowerCase(), name]));
  return z.preprocess((value, context) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const found = new Map<string, [name: string, value: unknown]>();
    for (const [spelling, one] of Object.entries(value)) {
      const key = spelling.toLowerCase();
      const name = known.get(key) ?? spelling;
      // One of them would be lost.
      if (found.has(key)) context.addIssue({ code: 'custom', path: [name], message: 'must occur once' });
      found.set(key, [name, one]);
    }
    return Object.fromEntries(found.values());
  }, z.looseObject(shape));
}

const emails = z
  .array(attributes({ value: emailAddress.nullish(), primary: boolean.nullish(), type: optionalText }))
  .max(100);

/** A person as a provider sends it. Attributes that svc doesn't store are ignored. */
const userInput = attributes({
  userName: principalName,
  externalId: text(255).min(1).nullish(),
  active: boolean.nullish(),
  displayName: optionalText,
  name: attributes({ formatted: optionalText, givenName: optionalText, familyName: optionalText }).nullish(),
  emails: emails.nullish(),
});

export const memberList = z.array(attributes({ value: z.uuid() })).max(10_000);

const groupInput = attributes({
  displayName: principalName,
  externalId: text(255).min(1).nullish(),
  members: memberList.nullish(),
});

/** What svc stores of a person. */
export interface ScimUser {
  readonly userName: string;
  readonly externalId: string | null;
  readonly active: boolean;
  readonly displayName: string | null;
  readonly name: Readonly<Record<'formatted' | 'givenName' | 'familyName', string | null>>;
  readonly email: string | null;
}

export interface ScimGroup {
  readonly displayName: string;
  readonly externalId: string | null;
  /** Ids of people. */
  readonly members: readonly string[];
}

/** An invalid value, or a valid one that svc doesn't support. */
export class ScimInputError extends Error {
  readonly scimType: string;
  constructor(scimType: string, message: string) {
    super(message);
    this.name = 'ScimInputError';
    this.scimType = scimType;
  }
}

/** @throws ScimInputError `invalidValue`, with `name` for the value itself */
export function parsed<T extends z.ZodType>(schema: T, value: unknown, name = 'body'): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ScimInputError('invalidValue', `${issue!.path.join('.') || name}: ${issue!.message}`);
}

/** A person that lacks `active` stays as `before`: a provider that leaves it out must not activate anybody. @throws ScimInputError */
export function readUser(body: unknown, before: Pick<ScimUser, 'active'> = { active: true }): ScimUser {
  const { userName, externalId, active, displayName, name, emails: all } = parsed(userInput, body);
  return {
    userName,
    externalId: externalId ?? null,
    active: active ?? before.active,
    displayName: displayName ?? null,
    name: {
      formatted: name?.formatted ?? null,
      givenName: name?.givenName ?? null,
      familyName: name?.familyName ?? null,
    },
    email: primaryOf(all ?? []),
  };
}

const primaryOf = (all: z.output<typeof emails>): string | null =>
  (all.find(({ primary }) => primary === true) ?? all[0])?.value ?? null;

/** The address of an attribute `emails`, which may be a list, one entry, or a text. @throws ScimInputError */
export function readEmail(value: unknown, name: string): string | null {
  const entries = value === null ? [] : Array.isArray(value) ? value : [value];
  return primaryOf(
    parsed(
      emails,
      entries.map((entry) => (typeof entry === 'string' ? { value: entry } : entry)),
      name,
    ),
  );
}

/** @throws ScimInputError */
export function readGroup(body: unknown): ScimGroup {
  const { displayName, externalId, members } = parsed(groupInput, body);
  return { displayName, externalId: externalId ?? null, members: membersOf(members ?? []) };
}

export const membersOf = (members: readonly { value: string }[]) => [
  ...new Set(members.map(({ value }) => value.toLowerCase())),
];

export interface ScimFilter {
  readonly attribute: 'userName' | 'displayName' | 'externalId' | 'id';
  readonly value: string;
}

const ATTRIBUTES = { username: 'userName', displayname: 'displayName', externalid: 'externalId', id: 'id' } as const;

/** One comparison, such as `userName eq "ann"`. @throws ScimInputError */
export function readFilter(filter: string, known: readonly ScimFilter['attribute'][]): ScimFilter {
  const [attribute = '', operator = '', ...rest] = filter.trim().split(' ');
  const found = (ATTRIBUTES as Record<string, ScimFilter['attribute']>)[attribute.toLowerCase()];
  let value: unknown;
  try {
    value = JSON.parse(rest.join(' '));
  } catch {
    value = undefined;
  }
  if (
    found !== undefined &&
    known.includes(found) &&
    operator.toLowerCase() === 'eq' &&
    typeof value === 'string' &&
    isStorable(value)
  )
    return { attribute: found, value };
  throw new ScimInputError('invalidFilter', `Supported filters: ${known.map((name) => `${name} eq "…"`).join(', ')}.`);
}
