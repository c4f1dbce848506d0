import { Icon } from '../design/icons.tsx';
import { Name } from '../design/name.tsx';
import type { Step } from './chain-steps.ts';

/** Why a principal can do something, from the principal to the object. */
export function Chain({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="chain">
      {steps.map(({ icon, kind, name }, index) => (
        <li key={index}>
          <Icon name={icon} />
          <span>
            <span className="soft kind">{kind} </span>
            <Name>{name}</Name>
          </span>
        </li>
      ))}
    </ol>
  );
}
