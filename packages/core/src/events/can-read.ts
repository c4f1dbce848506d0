import { type Action, decide, type EffectiveGrant, INSTANCE, type ObjectScope, scopeOf } from '../access/index.ts';
import type { Change } from './change-of.ts';

/** The caller of a stream with its active grants. */
export interface Reader {
  readonly principalId: string;
  readonly environment: string;
  readonly grants: readonly EffectiveGrant[];
  /** Whether these grants differ from those at its last message about rights. */
  readonly rightsChanged: boolean;
}

/** Whether the reader may know of a change: exactly if it can read the object that the message names. */
export function canRead({ principalId, environment, grants, rightsChanged }: Reader, { readers }: Change): boolean {
  const may = (action: Action, on: ObjectScope) => decide(grants, action, on).allowed;
  const whole = scopeOf({ environment });
  switch (readers.of) {
    case 'environment':
      return may('READ_ENVIRONMENT', whole);
    case 'run':
      return may('READ_ENVIRONMENT', whole) || (readers.requestedBy === principalId && may('RUN', whole));
    case 'principal':
      return readers.id === principalId;
    case 'namespace':
      return may('READ_NAMESPACE', scopeOf({ environment, namespace: readers.namespace }));
    case 'table': {
      const { namespace, table, dropped } = readers;
      return may('READ_TABLE', scopeOf(dropped ? { environment, namespace } : { environment, namespace, table }));
    }
    case 'access':
      return rightsChanged || may('MANAGE_GRANT', INSTANCE);
  }
}
