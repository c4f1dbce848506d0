import type { Grant } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { objectText } from '../catalog/object-target.ts';
import { ActionDialog } from '../design/action-dialog.tsx';
import { Name } from '../design/name.tsx';
import { ErrorNotice, Loading } from '../design/states.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { plural } from '../text/numbers.ts';
import { refreshAccess, revocationQuery } from './queries.ts';

const MAX_SHOWN = 50;

export const granteeText = ({ principal, group }: Pick<Grant, 'principal' | 'group'>): string =>
  group === null ? (principal ?? '') : `group ${group}`;

/** What each principal loses, as the service reports. */
function Preview({ grant }: { grant: Grant }) {
  const { data, error } = useQuery(revocationQuery(grant.id));
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return <Loading rows={2} label="Loading the effect" />;
  const losing = data.principals.filter(({ loses }) => loses.length > 0);
  if (losing.length === 0)
    return <p className="notice">Nobody loses a permission: other grants allow the same, or nobody has this one.</p>;
  return (
    <div className="notice warn">
      <p>{plural(losing.length, 'principal')} will lose permissions:</p>
      <ul className="effect">
        {losing.slice(0, MAX_SHOWN).map(({ principal, loses }) => (
          <li key={principal}>
            <Name>{principal}</Name>: <span className="soft">{loses.join(', ')}</span>
          </li>
        ))}
      </ul>
      {losing.length > MAX_SHOWN ? <p className="soft">and {losing.length - MAX_SHOWN} more</p> : null}
    </div>
  );
}

/** Confirms a revocation after showing what it takes away. */
export function RevokeDialog({ grant, onClose }: { grant: Grant; onClose: () => void }) {
  const { isSuccess } = useQuery(revocationQuery(grant.id));
  const right = grant.role ?? grant.action ?? '';
  return (
    <ActionDialog
      verb="Revoke"
      pending="Revoking"
      object={`${right} from ${granteeText(grant)}`}
      command={svcCommand('grant revoke', grant.id, {})}
      isDangerous
      isReady={isSuccess}
      action={async () => {
        await svc.grants.revoke(grant.id);
        return `Revoked ${right} from ${granteeText(grant)}.`;
      }}
      onDone={refreshAccess}
      onClose={onClose}
    >
      <p className="soft">
        The grant is on <Name>{objectText(grant)}</Name>. A revocation takes effect with the next request.
      </p>
      <Preview grant={grant} />
    </ActionDialog>
  );
}
