import { type Document, isMap, LineCounter, parseDocument, visit } from 'yaml';
import * as z from 'zod';
import { ACTIONS, nameKey, parseEnum, ROLES } from '../access/index.ts';
import { zonedTime } from '../contract/index.ts';

const name = z.string().min(1);
const anyCase = <T extends string>(values: readonly T[]) =>
  z
    .string()
    .transform((text) => parseEnum(values, text) ?? text)
    .refine((text): text is T => (values as readonly string[]).includes(text), `must be one of ${values.join(', ')}`);

const grantSchema = z
  .strictObject({
    principal: name.optional(),
    group: name.optional(),
    role: anyCase(ROLES).optional(),
    action: anyCase(ACTIONS).optional(),
    environment: name.optional(),
    namespace: name.optional(),
    table: name.optional(),
    service_account: name.optional(),
    expires_at: zonedTime.optional(),
  })
  .refine(({ principal, group }) => (principal === undefined) !== (group === undefined), 'name a principal or a group')
  .refine(({ role, action }) => (role === undefined) !== (action === undefined), 'name a role or an action')
  .refine(({ namespace, environment }) => namespace === undefined || environment !== undefined, 'name the environment')
  .refine(({ table, namespace }) => table === undefined || namespace !== undefined, 'name the namespace')
  .refine(
    ({ service_account, environment }) => service_account === undefined || environment === undefined,
    'a service account has no environment',
  )
  .refine(
    ({ service_account, role }) => service_account === undefined || role === undefined,
    'no role applies to a service account; name an action',
  );

const fileSchema = z.strictObject({
  // A Map, because a record would drop a group with the name __proto__.
  groups: z.map(name, z.array(name).nullable()).default(new Map()),
  grants: z.array(grantSchema).default([]),
});

/** A grant of an access file. It is on the innermost object that it names; without any, on the instance. */
export type FileGrant = z.infer<typeof grantSchema>;

/** The groups with their members, and the grants that an instance should have. */
export interface AccessFile {
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly grants: readonly FileGrant[];
}

/** Reads an access file. Returns it, or what is wrong with it, each with its line. */
export function parseAccessFile(text: string): {
  readonly file: AccessFile | null;
  readonly problems: readonly string[];
} {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const at = (offset: number) => `line ${lines.linePos(offset).line}`;
  if (document.errors.length > 0) {
    return { file: null, problems: document.errors.map(({ pos, message }) => `${at(pos[0])}: ${message}`) };
  }
  const lineOf = (path: readonly PropertyKey[]): string => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
      if (node?.range) return at(node.range[0]);
    }
    return 'line 1';
  };
  if (document.contents !== null && !isMap(document.contents))
    return { file: null, problems: ['line 1: the file must have the keys groups and grants'] };
  const unresolved = unresolvedAliases(document, at);
  if (unresolved.length > 0) return { file: null, problems: unresolved };
  const contents = contentsOf(document);
  if (contents instanceof Error) return { file: null, problems: [`line 1: ${contents.message}`] };
  const parsed = fileSchema.safeParse(plain(contents));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${lineOf(path)}: ${path.join('.')}: ${message}`);
    return { file: null, problems };
  }
  const { groups, grants } = parsed.data;
  const file = {
    groups: new Map([...groups].map(([group, members]) => [group, [...new Set(members ?? [])]])),
    grants,
  };
  const lineOfGrant = (i: number) => lineOf(['grants', i]);
  const problems = [
    ...grants.flatMap(({ group }, i) =>
      group === undefined || file.groups.has(group) ? [] : `${lineOfGrant(i)}: the group ${group} must be in groups`,
    ),
    ...duplicates(grants, lineOfGrant),
  ];
  return problems.length > 0 ? { file: null, problems } : { file, problems };
}

/** A name that starts with `*` without quotes is an alias in YAML. */
function unresolvedAliases(document: Document.Parsed, at: (offset: number) => string): string[] {
  const problems: string[] = [];
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) !== undefined) return;
      const advice = 'quote a text that starts with *';
      problems.push(`${at(alias.range?.[0] ?? 0)}: unknown alias *${alias.source}: ${advice}`);
    },
  });
  return problems;
}

/** An error if aliases repeat more than the parser allows. */
function contentsOf(document: Document.Parsed): Map<string, unknown> | null | Error {
  try {
    return document.toJS({ mapAsMap: true });
  } catch (error) {
    return error as Error;
  }
}

/** The parts of a file as the schema expects them: only the groups stay a Map. */
function plain(contents: Map<string, unknown> | null): unknown {
  const { grants, ...parts } = Object.fromEntries(contents ?? []);
  const list = Array.isArray(grants)
    ? grants.map((one) => (one instanceof Map ? Object.fromEntries(one) : one))
    : grants;
  return grants === undefined ? parts : { ...parts, grants: list };
}

/** What makes two grants the same, except for when they expire. */
export function grantKey(grant: Omit<FileGrant, 'expires_at'>): string {
  const { principal = null, group = null, role = null, action = null, environment = null } = grant;
  const { service_account = null } = grant;
  const object = [grant.namespace, grant.table].map((text) => (text === undefined ? null : nameKey(text)));
  return JSON.stringify([principal, group, role, action, environment, ...object, service_account]);
}

function duplicates(grants: readonly FileGrant[], lineOf: (index: number) => string): string[] {
  const first = new Map<string, number>();
  return grants.flatMap((grant, i) => {
    const earlier = first.get(grantKey(grant));
    if (earlier === undefined) {
      first.set(grantKey(grant), i);
      return [];
    }
    return [`${lineOf(i)}: the same grant as in ${lineOf(earlier)}`];
  });
}
