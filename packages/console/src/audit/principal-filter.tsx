import { NotFound } from '@svc/sdk/browser';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useOwnPermission } from '../access/use-own-permission.ts';
import { notify } from '../design/toasts.tsx';
import { svc } from '../service/client.ts';

/** Finds a principal by name, for callers with MANAGE_PRINCIPAL. Others choose the principal of an event. */
export function PrincipalFilter({ onFind }: { onFind: (id: string) => void }) {
  const [name, setName] = useState('');
  const isAllowed = useOwnPermission('MANAGE_PRINCIPAL', {})?.allowed ?? false;
  const { mutate, isPending } = useMutation({
    mutationFn: () => svc.principals.get(name.trim()),
    onSuccess: ({ id }) => onFind(id),
    onError: (error) => notify(error instanceof NotFound ? `There is no principal "${name.trim()}".` : error.message),
  });
  if (!isAllowed) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending && name.trim() !== '') mutate();
  };
  return (
    <form onSubmit={submit}>
      <input
        className="input"
        aria-label="Name of a principal"
        placeholder="Principal, then Enter"
        spellCheck={false}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </form>
  );
}
