import type { ObjectNames } from '@svc/core/access';
import type { Holder } from '@svc/sdk/browser';
import { objectText } from '../catalog/object-target.ts';
import type { IconName } from '../design/icons.tsx';

type Via = Holder['via'][number];

/** One link of the chain from a principal to an object. */
export interface Step {
  readonly icon: IconName;
  readonly kind: string;
  readonly name: string;
}

const OBJECT_ICONS = {
  INSTANCE: 'lines',
  ENVIRONMENT: 'lines',
  NAMESPACE: 'folder',
  TABLE: 'table',
  SERVICE_ACCOUNT: 'user',
} as const;

/** What leads from a principal to an object: its group, the grant, the object of the grant, and the object inside it. */
export function chainSteps(
  principal: string,
  { group, role, scope }: Via,
  action: string,
  object?: ObjectNames,
): Step[] {
  const granted = objectText(scope);
  const wanted = object === undefined ? granted : objectText(object);
  return [
    { icon: 'user', kind: 'principal', name: principal },
    ...(group === null ? [] : [{ icon: 'users', kind: 'member of group', name: group } as const]),
    { icon: 'key', kind: role === null ? 'granted action' : 'granted role', name: role ?? action },
    {
      icon: OBJECT_ICONS[scope.kind],
      kind: scope.kind === 'INSTANCE' || scope.kind === 'SERVICE_ACCOUNT' ? 'on' : `on ${scope.kind.toLowerCase()}`,
      name: granted,
    },
    ...(wanted === granted ? [] : [{ icon: 'check', kind: 'which contains', name: wanted } as const]),
  ];
}
