import { useQuery } from '@tanstack/react-query';
import { deploymentsQuery } from '../projects/queries.ts';

/** The service account that the runs of a project act as, null if none is bound; undefined while it is unknown. */
export function useRunPrincipal(env: string, repository: string): string | null | undefined {
  const { data } = useQuery(deploymentsQuery(env));
  return data?.find((deployment) => deployment.repository === repository)?.run_as;
}
