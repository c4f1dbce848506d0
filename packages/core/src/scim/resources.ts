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

const emails = z
  .array(z.looseObject({ value: emailAddress.nullish(), primary: boolean.nullish(), type: optionalText }))
  .max(100)
  .nullish();

/** A person as a provider sends it. Attributes that svc doesn't store are ignored. */
const userInput = z.looseObject({
  userName: principalName,
  externalId: text(255).min(1).nullish(),
  active: boolean.nullish(),
  displayName: optionalText,
  name: z.looseObject({ formatted: optionalText, givenName: optionalText, familyName: optionalText }).nullish(),
  emails,
});

const member = z.looseObject({ value: z.uuid() });
const MAX_MEMBERS = 10_000;

const groupInput = z.looseObject({
  displayName: principalName,
  externalId: text(255).min(1).nullish(),
  members: z.array(member).max(MAX_MEMBERS).nullish(),
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

function parsed<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ScimInputError('invalidValue', `${issue!.path.join('.') || 'body'}: ${issue!.message}`);
}

/** @throws ScimInputError */
export function readUser(body: unknown): ScimUser {
  const { userName, externalId, active, displayName, name, emails: all } = parsed(userInput, body);
  const mail = all?.find(({ primary }) => primary === true) ?? all?.[0];
  return {
    userName,
    externalId: externalId ?? null,
    active: active ?? true,
    displayName: displayName ?? null,
    name: {
      formatted: name?.formatted ?? null,
      givenName: name?.givenName ?? null,
      familyName: name?.familyName ?? null,
    },
    email: mail?.value ?? null,
  };
}

/** @throws ScimInputError */
export function readGroup(body: unknown): ScimGroup {
  const { displayName, externalId, members } = parsed(groupInput, body);
  return { displayName, externalId: externalId ?? null, members: membersOf(members ?? []) };
}

const membersOf = (members: readonly { value: string }[]) => [
  ...new Set(members.map(({ value }) => value.toLowerCase())),
];

const operations = z.looseObject({
  Operations: z
    .array(
      z.looseObject({
        op: z
          .string()
          .transform((op) => op.toLowerCase())
          .pipe(z.enum(['add', 'replace', 'remove'])),
        path: z.string().max(1024).nullish(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(1000),
});

interface Change {
  readonly op: 'add' | 'replace' | 'remove';
  /** In lower case. */
  readonly path: string;
  readonly value: unknown;
}

/** The changes of a PATCH, one for each attribute. Operations without a path have an object of attributes as their value. */
function changesOf(body: unknown): Change[] {
  return parsed(operations, body).Operations.flatMap(({ op, path, value }): Change[] => {
    if (path != null && path !== '') return [{ op, path: path.toLowerCase(), value }];
    if (op === 'remove') throw new ScimInputError('noTarget', 'A removal needs a path.');
    const attributes = parsed(z.record(z.string(), z.unknown()), value);
    return Object.entries(attributes).map(([key, one]) => ({ op, path: key.toLowerCase(), value: one }));
  });
}

/** A person as it is being changed: its values are checked at the end. */
interface UserDraft {
  fields: Record<string, unknown>;
  name: Record<string, unknown>;
}

const toField = (field: string) => (draft: UserDraft, value: unknown) =>
  void Object.assign(draft.fields, { [field]: value });
const toName = (part: string) => (draft: UserDraft, value: unknown) =>
  void Object.assign(draft.name, { [part]: value });
const toEmail = (draft: UserDraft, value: unknown) => void Object.assign(draft.fields, { email: emailOf(value) });

/** What a path changes. Attributes that svc doesn't store are ignored. */
const SETTERS = new Map<string, (draft: UserDraft, value: unknown) => void>([
  ['username', toField('userName')],
  ['externalid', toField('externalId')],
  ['active', toField('active')],
  ['displayname', toField('displayName')],
  ['name', (draft, value) => void Object.assign(draft.name, typeof value === 'object' ? value : {})],
  ['name.formatted', toName('formatted')],
  ['name.givenname', toName('givenName')],
  ['name.familyname', toName('familyName')],
  ['emails', toEmail],
  ['emails.value', toEmail],
]);

/** A person after the operations that Okta and Entra ID send. @throws ScimInputError */
export function patchUser(user: ScimUser, body: unknown): ScimUser {
  const { name, ...fields } = user;
  const draft: UserDraft = { fields: { ...fields }, name: { ...name } };
  for (const { op, path, value } of changesOf(body)) {
    const set = path.startsWith('emails[') ? toEmail : SETTERS.get(path);
    set?.(draft, op === 'remove' ? null : value);
  }
  const { email, ...rest } = draft.fields;
  return readUser({ ...rest, name: draft.name, emails: email == null ? [] : [{ value: email }] });
}

function emailOf(value: unknown): unknown {
  if (!Array.isArray(value))
    return typeof value === 'object' && value !== null ? (value as { value?: unknown }).value : value;
  const found = value.find((one) => (one as { primary?: unknown } | null)?.primary === true) ?? value[0];
  return (found as { value?: unknown } | undefined)?.value;
}

/** A group after the operations that Okta and Entra ID send. @throws ScimInputError */
export function patchGroup(group: ScimGroup, body: unknown): ScimGroup {
  let displayName: unknown = group.displayName;
  let externalId: unknown = group.externalId;
  const members = new Set(group.members);
  for (const change of changesOf(body)) {
    const { op, path, value } = change;
    if (path === 'displayname') displayName = value;
    else if (path === 'externalid') externalId = op === 'remove' ? null : value;
    else if (path === 'members' || path.startsWith('members[')) changeMembers(members, change);
  }
  return readGroup({ displayName, externalId, members: [...members].map((value) => ({ value })) });
}

const SELECTED = /^members\[value eq "([0-9a-f-]{36})"\]$/;

function changeMembers(members: Set<string>, { op, path, value }: Change): void {
  const selected = SELECTED.exec(path)?.[1];
  if (path !== 'members' && selected === undefined)
    throw new ScimInputError('invalidPath', 'Write the path of a member as members[value eq "ID"].');
  const named =
    selected === undefined
      ? membersOf(parsed(z.array(member).max(MAX_MEMBERS), value == null ? [] : Array.isArray(value) ? value : [value]))
      : [selected];
  if ((op === 'remove' && value == null && selected === undefined) || op === 'replace') members.clear();
  for (const id of named) {
    if (op === 'remove') members.delete(id);
    else members.add(id);
  }
}

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
