import { OBJECT_KINDS, type ObjectKind } from './objects.ts';

/** The actions of each kind of object, in the order in which permissions list them (ACCESS-3). */
export const ACTIONS_OF = {
  INSTANCE: [
    'MANAGE_ENVIRONMENT',
    'MANAGE_PRINCIPAL',
    'MANAGE_GROUP',
    'MANAGE_TOKEN',
    'MINT_TASK_TOKEN',
    'MANAGE_GRANT',
    'MANAGE_POLICY',
    'READ_AUDIT_LOG',
    'READ_QUERY_TEXT',
    'MANAGE_REPOSITORY',
    'MANAGE_PACKAGE_INDEX',
  ],
  ENVIRONMENT: [
    'READ_ENVIRONMENT',
    'READ_NAMESPACE',
    'SUBMIT_QUERY',
    'MANAGE_ENVIRONMENT',
    'MANAGE_SECRET',
    'DEPLOY',
    'RUN',
  ],
  NAMESPACE: ['READ_NAMESPACE', 'CREATE_NAMESPACE', 'MANAGE_NAMESPACE', 'DROP_NAMESPACE', 'CREATE_TABLE'],
  TABLE: ['READ_TABLE', 'WRITE_TABLE', 'CREATE_TABLE', 'DROP_TABLE', 'MAINTAIN_TABLE'],
  SERVICE_ACCOUNT: ['ACT_AS'],
} as const satisfies Record<ObjectKind, readonly string[]>;

export type Action = (typeof ACTIONS_OF)[ObjectKind][number];

/** Every action once, in the order of ACCESS-3. */
export const ACTIONS: readonly Action[] = [...new Set(Object.values(ACTIONS_OF).flat())] as Action[];

/** Only the ADMIN role on the instance carries these; a grant of the single action has no effect (ACCESS-4). */
export const ADMIN_ONLY: readonly Action[] = ['MANAGE_GRANT', 'MANAGE_GROUP', 'MANAGE_TOKEN'];

/** Whether a grant of a role on this kind of object can have an effect. */
export const takesRoles = (kind: ObjectKind): boolean => kind !== 'SERVICE_ACCOUNT';

export const ROLES = ['ADMIN', 'DATA_ENGINEER', 'ANALYST'] as const;
export type Role = (typeof ROLES)[number];

const DATA_ENGINEER: readonly Action[] = [
  'READ_ENVIRONMENT',
  'READ_NAMESPACE',
  'SUBMIT_QUERY',
  'DEPLOY',
  'RUN',
  'CREATE_NAMESPACE',
  'MANAGE_NAMESPACE',
  'DROP_NAMESPACE',
  'CREATE_TABLE',
  'READ_TABLE',
  'WRITE_TABLE',
  'DROP_TABLE',
  'MAINTAIN_TABLE',
];

/** Reads and queries, but neither the audit log nor anyone's statements. */
const ANALYST: readonly Action[] = ['READ_ENVIRONMENT', 'READ_NAMESPACE', 'SUBMIT_QUERY', 'READ_TABLE'];

/** READ_QUERY_TEXT belongs to no role (ACCESS-5). */
export const ROLE_ACTIONS: Record<Role, readonly Action[]> = {
  ADMIN: ACTIONS.filter((action) => action !== 'READ_QUERY_TEXT'),
  DATA_ENGINEER,
  ANALYST,
};

/** The most that a task token carries of its principal's permissions (ACCESS-25). */
export const TASK_TOKEN_ACTIONS: readonly Action[] = [
  'READ_ENVIRONMENT',
  'READ_NAMESPACE',
  'READ_TABLE',
  'READ_AUDIT_LOG',
  'READ_QUERY_TEXT',
  'SUBMIT_QUERY',
  'CREATE_TABLE',
  'WRITE_TABLE',
  'MAINTAIN_TABLE',
];

const INSIDE: Record<ObjectKind, readonly ObjectKind[]> = {
  INSTANCE: OBJECT_KINDS,
  ENVIRONMENT: ['ENVIRONMENT', 'NAMESPACE', 'TABLE'],
  NAMESPACE: ['NAMESPACE', 'TABLE'],
  TABLE: ['TABLE'],
  SERVICE_ACCOUNT: ['SERVICE_ACCOUNT'],
};

/**
 * Whether a grant of the action on this kind of object can ever have an effect, on the object or on something inside
 * it.
 */
export function appliesWithin(action: Action, kind: ObjectKind): boolean {
  return INSIDE[kind].some((inner) => (ACTIONS_OF[inner] as readonly Action[]).includes(action));
}

/** Parses an action or a role in any letter case. */
export function parseEnum<T extends string>(allowed: readonly T[], text: string): T | undefined {
  const upper = text.toUpperCase();
  return allowed.find((value) => value === upper);
}
