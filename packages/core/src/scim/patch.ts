import * as z from 'zod';
import {
  attributes,
  memberList,
  membersOf,
  parsed,
  readEmail,
  readGroup,
  readUser,
  type ScimGroup,
  ScimInputError,
  type ScimUser,
} from './resources.ts';
import { SCIM } from './schemas.ts';

const operations = attributes({
  Operations: z
    .array(
      attributes({
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
const anyAttributes = attributes({});

/** A change of an attribute, such as of `emails[type eq "work"].value`. Names and the filter are in lower case. */
interface Change {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly attribute: string;
  readonly filter: string | null;
  readonly part: string | null;
  readonly value: unknown;
}

interface Resource {
  readonly schema: string;
  /** Attributes of the standard that svc doesn't store, in lower case. */
  readonly unstored: ReadonlySet<string>;
}

const lowerCaseNames = (text: string) => new Set(text.toLowerCase().split(' '));

const USER: Resource = {
  schema: SCIM.user,
  unstored: lowerCaseNames(
    'schemas id meta groups password nickName profileUrl title userType preferredLanguage locale timezone phoneNumbers ims photos addresses entitlements roles x509Certificates',
  ),
};
const GROUP: Resource = { schema: SCIM.group, unstored: lowerCaseNames('schemas id meta') };

const CORE = 'urn:ietf:params:scim:schemas:core:';
const PATH = /^([a-z][\w$-]*)(?:\[([^\]]*)\])?(?:\.([a-z$][\w$-]*))?$/;

/** The changes of a PATCH, one for each attribute. Operations without a path have an object of attributes as their value. */
function changesOf(body: unknown, resource: Resource): Change[] {
  return parsed(operations, body).Operations.flatMap(({ op, path, value }): Change[] => {
    if (op !== 'remove' && value === undefined) throw new ScimInputError('invalidValue', `${op} needs a value.`);
    if (path != null && path !== '') return changeOf(resource, { op, path, value });
    if (op === 'remove') throw new ScimInputError('noTarget', 'A removal needs a path.');
    return Object.entries(parsed(anyAttributes, value)).flatMap(([key, one]) =>
      changeOf(resource, { op, path: key, value: one }),
    );
  });
}

/** None for an attribute of the standard or of an extension that svc doesn't store. @throws ScimInputError `invalidPath` */
function changeOf({ schema, unstored }: Resource, change: Pick<Change, 'op' | 'path' | 'value'>): Change[] {
  const prefix = `${schema}:`.toLowerCase();
  const full = change.path.toLowerCase();
  const path = full.startsWith(prefix) ? full.slice(prefix.length) : full;
  if (path.startsWith('urn:') && !path.startsWith(CORE)) return [];
  const [, attribute, filter = null, part = null] = PATH.exec(path) ?? [];
  if (attribute === undefined) throw invalidPath(change);
  return unstored.has(attribute) ? [] : [{ ...change, attribute, filter, part }];
}

const invalidPath = ({ path }: Pick<Change, 'path'>, hint = '') =>
  new ScimInputError('invalidPath', `The path "${path}" can't be changed here.${hint}`);

/** The new value of an attribute that a resource always has. @throws ScimInputError `mutability` */
function assigned({ path, op, value }: Change): unknown {
  if (op !== 'remove' && value !== null) return value;
  throw new ScimInputError('mutability', `${path} can't be removed.`);
}

const assignedOrNull = ({ op, value }: Change): unknown => (op === 'remove' ? null : value);

/** A person as it is being changed: its values are checked at the end. */
interface UserDraft {
  fields: Record<string, unknown>;
  name: Record<string, unknown>;
  email: unknown;
}

/** A person after the operations that Okta and Entra ID send. @throws ScimInputError */
export function patchUser(user: ScimUser, body: unknown): ScimUser {
  const { name, email, ...fields } = user;
  const draft: UserDraft = { fields: { ...fields }, name: { ...name }, email };
  for (const change of changesOf(body, USER)) changeUser(draft, change);
  return readUser({ ...draft.fields, name: draft.name, emails: draft.email == null ? [] : [{ value: draft.email }] });
}

function changeUser(draft: UserDraft, change: Change): void {
  const { attribute, filter, part } = change;
  if (attribute === 'emails') changeEmail(draft, change);
  else if (filter !== null) throw invalidPath(change);
  else if (attribute === 'name') changeName(draft, change);
  else if (part !== null) throw invalidPath(change);
  else if (attribute === 'active') draft.fields['active'] = assigned(change);
  else if (attribute === 'username') draft.fields['userName'] = assigned(change);
  else if (attribute === 'displayname') draft.fields['displayName'] = assignedOrNull(change);
  else if (attribute === 'externalid') draft.fields['externalId'] = assignedOrNull(change);
  else throw invalidPath(change);
}

const NAME_PARTS = new Map([
  ['formatted', 'formatted'],
  ['givenname', 'givenName'],
  ['familyname', 'familyName'],
]);
const UNSTORED_NAME_PARTS = lowerCaseNames('middleName honorificPrefix honorificSuffix');

function changeName(draft: UserDraft, change: Change): void {
  const value = assignedOrNull(change);
  const known = NAME_PARTS.get(change.part ?? '');
  if (known !== undefined) draft.name[known] = value;
  else if (change.part !== null && !UNSTORED_NAME_PARTS.has(change.part)) throw invalidPath(change);
  else if (change.part === null && value === null) draft.name = {};
  else if (change.part === null)
    for (const [key, one] of Object.entries(parsed(anyAttributes, value, change.path)))
      changeName(draft, { ...change, path: `${change.path}.${key}`, part: key.toLowerCase(), value: one });
}

/** svc stores one address and shows it as this one. */
const STORED_EMAIL = /^ *(?:type +eq +"work"|primary +eq +"?true"?) *$/;
const UNSTORED_EMAIL_PARTS = lowerCaseNames('type primary display $ref');

function changeEmail(draft: UserDraft, change: Change): void {
  const { filter, part } = change;
  if (filter !== null && !STORED_EMAIL.test(filter)) throw invalidPath(change, ' Use emails[type eq "work"].');
  const value = assignedOrNull(change);
  if (part === null) draft.email = readEmail(value, change.path);
  else if (part === 'value') draft.email = value;
  else if (!UNSTORED_EMAIL_PARTS.has(part)) throw invalidPath(change);
}

/** A group after the operations that Okta and Entra ID send. @throws ScimInputError */
export function patchGroup(group: ScimGroup, body: unknown): ScimGroup {
  let displayName: unknown = group.displayName;
  let externalId: unknown = group.externalId;
  const members = new Set(group.members);
  for (const change of changesOf(body, GROUP)) {
    const { attribute, filter, part } = change;
    if (attribute === 'members') changeMembers(members, change);
    else if (filter !== null || part !== null) throw invalidPath(change);
    else if (attribute === 'displayname') displayName = assigned(change);
    else if (attribute === 'externalid') externalId = assignedOrNull(change);
    else throw invalidPath(change);
  }
  return readGroup({ displayName, externalId, members: [...members].map((value) => ({ value })) });
}

const SELECTED = /^ *value +eq +"([0-9a-f-]{36})" *$/;

function changeMembers(members: Set<string>, change: Change): void {
  const { op, path, filter, part, value } = change;
  if (filter !== null || part !== null) {
    const selected = SELECTED.exec(filter ?? '')?.[1];
    if (op !== 'remove' || part !== null || selected === undefined)
      throw invalidPath(change, ' Add members without a filter, and remove one with members[value eq "ID"].');
    members.delete(selected);
    return;
  }
  const named = membersOf(parsed(memberList, value == null ? [] : Array.isArray(value) ? value : [value], path));
  if (op === 'replace' || (op === 'remove' && value == null)) members.clear();
  for (const id of named) {
    if (op === 'remove') members.delete(id);
    else members.add(id);
  }
}
