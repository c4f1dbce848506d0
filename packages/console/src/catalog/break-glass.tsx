import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { environmentsQuery } from '../service/queries.ts';

/** Whether changes in this environment need a reason. */
export function useIsProtected(env: string): boolean {
  return useQuery(environmentsQuery).data?.find(({ name }) => name === env)?.protected ?? false;
}

/** The reason for a change in a protected environment. */
export function BreakGlassField({ value, onChange }: { value: string; onChange: (reason: string) => void }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Reason for the change</label>
      <input id={id} className="input" required value={value} onChange={(event) => onChange(event.target.value)} />
      <p className="hint">This environment is protected. The audit log records the reason.</p>
    </div>
  );
}
