import type { ScopeOptions } from '@svc/sdk/browser';
import type { ReactNode } from 'react';
import { Name } from '../design/name.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { type Permission, useOwnPermissions } from './use-own-permission.ts';

interface GuardedProps {
  action: Permission['action'];
  object: ScopeOptions;
  children: ReactNode;
}

/** Shows a part only to callers with an action, as the service reports. A request of others would be recorded as a denial. */
export function Guarded({ action, object, children }: GuardedProps) {
  const { data, error, refetch } = useOwnPermissions(object);
  const permission = data?.permissions.find((each) => each.action === action);
  if (permission?.allowed) return children;
  return (
    <div className="card">
      {error !== null ? (
        <ErrorState error={error} retry={refetch} />
      ) : data === undefined ? (
        <Loading />
      ) : (
        <Empty icon="lock" title="You don't have permission">
          <Name>{permission?.reason ?? `This needs ${action}.`}</Name>
        </Empty>
      )}
    </div>
  );
}
