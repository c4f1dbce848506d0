import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { environmentsQuery } from '../service/queries.ts';
import { lastEnvironment } from './last-environment.ts';
import { UserMenu } from './user-menu.tsx';

/** Leads to the environment that was shown last. */
export function FirstPage() {
  const { data, error, refetch } = useQuery(environmentsQuery);
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <Loading />;
  const last = lastEnvironment();
  const environment = data.find(({ name }) => name === last) ?? data[0];
  if (environment !== undefined) return <Navigate to="/$env" params={{ env: environment.name }} replace />;
  return (
    <main>
      <Empty icon="catalog" title="No environments yet" command="svc env create dev">
        Tables, queries and runs belong to an environment. Create one, or ask an administrator for access.
      </Empty>
      <div className="state">
        <UserMenu />
      </div>
    </main>
  );
}
