import type { ReachedObject } from '@svc/sdk/browser';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { objectText } from '../catalog/object-target.ts';
import { Listing } from '../design/listing.tsx';
import { Name } from '../design/name.tsx';
import { Empty } from '../design/states.tsx';
import { Chain } from './chain.tsx';
import { chainSteps } from './chain-steps.ts';
import { NameField } from './name-field.tsx';
import { objectsQuery } from './queries.ts';
import type { TabProps } from './tabs.ts';
import { useOwnPermission } from './use-own-permission.ts';

const COLUMNS = ['Object', 'Actions', ['Why', 'wide-only']] as const;

/** A grant of one action doesn't repeat it: the object's list has it. */
const actionsText = (actions: readonly string[]): string =>
  actions.length === 1 ? (actions[0] ?? '') : `${actions.length} actions`;

function Objects({ principal }: { principal: string }) {
  const query = useInfiniteQuery(objectsQuery(principal));
  return (
    <Listing
      query={query}
      columns={COLUMNS}
      className="chains"
      empty={
        <Empty icon="key" title="No access yet">
          No grant reaches this principal. An administrator can grant a role or an action on the Grants tab.
        </Empty>
      }
      row={({ scope, actions, via }: ReachedObject) => (
        <tr key={objectText(scope)}>
          <td>
            <Name>{objectText(scope)}</Name>
          </td>
          <td>
            <details>
              <summary>{actionsText(actions)}</summary>
              <span className="soft">{actions.join(', ')}</span>
            </details>
          </td>
          <td className="wide-only">
            {via.map((each) => (
              <Chain key={each.grant_id} steps={chainSteps(principal, each, actionsText(actions))} />
            ))}
          </td>
        </tr>
      )}
    />
  );
}

/** The objects that a principal can access: the signed-in one, or, for administrators, any. */
export function ByPrincipalTab({ search, self, onChange }: TabProps) {
  const [name, setName] = useState(search.principal ?? self);
  const seesOthers = useOwnPermission('MANAGE_GRANT', {})?.allowed ?? false;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange({ principal: name.trim() === self ? undefined : name.trim() });
  };
  return (
    <>
      {seesOthers ? (
        <form className="row" onSubmit={submit} aria-label="Principal">
          <span className="soft">What can</span>
          <NameField value={name} onChange={setName} />
          <span className="soft">access?</span>
          <button type="submit" className="button">
            Show
          </button>
        </form>
      ) : null}
      <section className="card" aria-label="Objects">
        <Objects principal={search.principal ?? self} />
      </section>
    </>
  );
}
