import type { TableMetadata } from '../metadata/metadata.ts';
import type { CommitFailure } from './draft.ts';

/** A requirement as the catalog protocol sends it. */
export type TableRequirement = { readonly type: string } & Readonly<Record<string, unknown>>;

type Check = (metadata: TableMetadata, requirement: TableRequirement) => string | null;

const equal = (what: string, field: string, actual: (m: TableMetadata) => unknown): Check => {
  return (metadata, requirement) => {
    const expected = requirement[field];
    if (expected === actual(metadata)) return null;
    return `Requirement failed: ${what} changed: expected id ${String(expected)} != ${String(actual(metadata))}.`;
  };
};

const CHECKS: Readonly<Record<string, Check>> = {
  'assert-create': () => 'Requirement failed: table already exists.',
  'assert-table-uuid': (metadata, requirement) =>
    String(requirement['uuid']).toLowerCase() === metadata['table-uuid'].toLowerCase()
      ? null
      : `Requirement failed: UUID does not match: expected ${metadata['table-uuid']} != ${String(requirement['uuid'])}.`,
  'assert-ref-snapshot-id': checkRef,
  'assert-last-assigned-field-id': equal(
    'last assigned field id',
    'last-assigned-field-id',
    (m) => m['last-column-id'],
  ),
  'assert-current-schema-id': equal('current schema', 'current-schema-id', (m) => m['current-schema-id']),
  'assert-last-assigned-partition-id': equal(
    'last assigned partition id',
    'last-assigned-partition-id',
    (m) => m['last-partition-id'],
  ),
  'assert-default-spec-id': equal('default partition spec', 'default-spec-id', (m) => m['default-spec-id']),
  'assert-default-sort-order-id': equal(
    'default sort order',
    'default-sort-order-id',
    (m) => m['default-sort-order-id'],
  ),
};

function checkRef(metadata: TableMetadata, requirement: TableRequirement): string | null {
  const name = String(requirement['ref']);
  const expected = requirement['snapshot-id'] ?? null;
  const actual = Object.hasOwn(metadata.refs, name) ? metadata.refs[name]!['snapshot-id'] : null;
  if (actual === expected) return null;
  if (actual === null) return `Requirement failed: branch or tag ${name} is missing, expected ${String(expected)}.`;
  const type = metadata.refs[name]!.type;
  if (expected === null) return `Requirement failed: ${type} ${name} was created concurrently.`;
  return `Requirement failed: ${type} ${name} has changed: expected id ${String(expected)} != ${String(actual)}.`;
}

/** Null if the requirement is met. A table that doesn't exist meets only `assert-create`. */
export function checkRequirement(current: TableMetadata | null, requirement: TableRequirement): CommitFailure | null {
  const type = typeof requirement?.type === 'string' ? requirement.type : '';
  const check = Object.hasOwn(CHECKS, type) ? CHECKS[type] : undefined;
  if (!check) return { ok: false, kind: 'invalid', message: `Unknown requirement "${type.slice(0, 100)}".` };
  if (current === null) {
    return type === 'assert-create' ? null : { ok: false, kind: 'conflict', message: "The table doesn't exist." };
  }
  const message = check(current, requirement);
  return message === null ? null : { ok: false, kind: 'conflict', message };
}
