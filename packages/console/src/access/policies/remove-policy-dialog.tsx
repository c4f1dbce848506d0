import { ActionDialog } from '../../design/action-dialog.tsx';
import { Name } from '../../design/name.tsx';
import { svc } from '../../service/client.ts';
import { svcCommand } from '../../text/commands.ts';
import { refreshAccess } from '../queries.ts';
import { granteeText } from '../revoke-dialog.tsx';
import { type Policy, VERBS } from './policy.ts';

/** Confirms that a policy is removed. */
export function RemovePolicyDialog({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const { kind, id, column, expression } = policy;
  const target = granteeText(policy);
  return (
    <ActionDialog
      verb="Remove"
      pending="Removing"
      object={kind === 'filter' ? `row filter for ${target}` : `mask of ${column} for ${target}`}
      command={svcCommand(`${VERBS[kind]} delete`, id, { yes: true })}
      isDangerous
      action={async () => {
        await (kind === 'filter' ? svc.rowFilters.delete(id) : svc.columnMasks.delete(id));
        return `Removed the ${kind === 'filter' ? 'row filter' : 'column mask'} for ${target}.`;
      }}
      onDone={refreshAccess}
      onClose={onClose}
    >
      <p className="soft">
        {kind === 'filter' ? 'The hidden rows become visible' : 'The values become visible'} with the next query, unless
        another policy hides them.
      </p>
      <p className="mono">
        <Name>{expression}</Name>
      </p>
    </ActionDialog>
  );
}
