import type { Holder } from '@svc/sdk/browser';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Badge } from '../design/badge.tsx';
import { Listing } from '../design/listing.tsx';
import { Name } from '../design/name.tsx';
import { Empty } from '../design/states.tsx';
import { Chain } from './chain.tsx';
import { chainSteps } from './chain-steps.ts';
import { ActionField, actionOf, choiceOf, namesOf, ObjectFields, searchOf } from './object-fields.tsx';
import { whoQuery } from './queries.ts';
import type { TabProps } from './tabs.ts';

const COLUMNS = [['Principal', 'type'], ['Type', 'wide-only'], 'Why'] as const;

interface HoldersProps {
  action: string;
  object: NonNullable<ReturnType<typeof namesOf>>;
}

/** The principals that can perform the action on the object, each with the chains that allow it. */
export function Holders({ action, object }: HoldersProps) {
  const query = useInfiniteQuery(whoQuery(action, object));
  return (
    <Listing
      query={query}
      columns={COLUMNS}
      className="chains"
      empty={
        <Empty icon="users" title="Nobody can do this">
          No active grant allows {action} on this object.
        </Empty>
      }
      row={({ principal, type, active, via }: Holder) => (
        <tr key={principal}>
          <td>
            <span className="row">
              <Name>{principal}</Name>
              {active ? null : <Badge tone="warn">deactivated</Badge>}
            </span>
          </td>
          <td className="soft fit wide-only">{type}</td>
          <td>
            {via.map((each) => (
              <Chain key={each.grant_id} steps={chainSteps(principal, each, action, object).slice(1)} />
            ))}
          </td>
        </tr>
      )}
    />
  );
}

/** Who can perform an action on an object. */
export function ByObjectTab({ env, search, onChange }: TabProps) {
  const [choice, setChoice] = useState(choiceOf(search));
  const [action, setAction] = useState(search.action);
  const chosen = actionOf(choice.kind, action);
  const shown = choiceOf(search);
  const object = namesOf(env, shown);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange({ ...searchOf(choice), action: chosen });
  };
  return (
    <>
      <form className="row" onSubmit={submit} aria-label="Object and action">
        <span className="soft">Who has</span>
        <ActionField kind={choice.kind} value={chosen} onChange={setAction} />
        <span className="soft">on</span>
        <ObjectFields env={env} value={choice} onChange={setChoice} />
        <button type="submit" className="button">
          Show
        </button>
      </form>
      <section className="card" aria-label="Who has access">
        {object === null ? (
          <Empty icon="users" title="Which object?">
            Enter the names of the object.
          </Empty>
        ) : (
          <Holders action={actionOf(shown.kind, search.action)} object={object} />
        )}
      </section>
    </>
  );
}
