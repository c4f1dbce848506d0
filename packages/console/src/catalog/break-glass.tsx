import { useQuery } from '@tanstack/react-query';
import { Field } from '../design/fields.tsx';
import { environmentsQuery } from '../service/queries.ts';

/** Whether changes in this environment need a reason. */
export function useIsProtected(env: string): boolean {
  return useQuery(environmentsQuery).data?.find(({ name }) => name === env)?.protected ?? false;
}

/** The reason for a change in a protected environment. */
export function BreakGlassField({ value, onChange }: { value: string; onChange: (reason: string) => void }) {
  return (
    <Field
      label="Reason for the change"
      required
      value={value}
      hint="This environment is protected. The audit log records the reason."
      onChange={onChange}
    />
  );
}
