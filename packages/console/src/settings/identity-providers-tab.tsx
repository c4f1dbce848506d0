import type { IdentityProvider } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../design/action-dialog.tsx';
import { Badge } from '../design/badge.tsx';
import { ACTIONS, DataTable } from '../design/data-table.tsx';
import { Name } from '../design/name.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { IdentityProviderDialog } from './identity-provider-dialog.tsx';
import { identityProvidersQuery, refreshSettings } from './queries.ts';

function DeleteDialog({ provider: { name }, onClose }: { provider: IdentityProvider; onClose: () => void }) {
  return (
    <ActionDialog
      verb="Delete"
      pending="Deleting"
      object={name}
      command={svcCommand('identity-provider delete', name, {})}
      isDangerous
      action={async () => {
        await svc.identityProviders.delete(name);
        return `Deleted ${name}.`;
      }}
      onDone={refreshSettings}
      onClose={onClose}
    >
      <p className="soft">
        Nobody can sign in with it any more, and memberships that come from it end. People stay, and their sessions last
        until they expire.
      </p>
    </ActionDialog>
  );
}

/** Where to register the service at the provider. */
const redirectUri = (name: string): string => `${window.location.origin}/console/sign-in/${name}/callback`;

/** The identity providers that people sign in with; they belong to the instance. */
export function IdentityProvidersTab() {
  const { data, error, refetch } = useQuery(identityProvidersQuery);
  const [edited, setEdited] = useState<IdentityProvider | 'new' | null>(null);
  const [deleted, setDeleted] = useState<IdentityProvider | null>(null);
  if (data === undefined)
    return <div className="card">{error === null ? <Loading /> : <ErrorState error={error} retry={refetch} />}</div>;
  return (
    <>
      <div>
        <button type="button" className="button primary" onClick={() => setEdited('new')}>
          Add identity provider …
        </button>
      </div>
      <section className="card" aria-label="Identity providers">
        {data.length === 0 ? (
          <Empty
            icon="key"
            title="No identity providers yet"
            command={svcCommand('identity-provider create', 'NAME', { issuer: 'URL', 'client-id': 'ID' })}
          >
            With an OpenID Connect provider, people sign in with the account of their organization.
          </Empty>
        ) : (
          <DataTable columns={['Provider', 'Issuer', ['Redirect URI', 'wide-only'], ACTIONS]}>
            {data.map((provider) => (
              <tr key={provider.id}>
                <td>
                  <span className="row">
                    <Name>{provider.name}</Name>
                    {provider.active ? null : <Badge tone="warn">inactive</Badge>}
                  </span>
                </td>
                <td className="mono">
                  <Name>{provider.issuer}</Name>
                </td>
                <td className="mono soft wide-only">
                  <Name>{redirectUri(provider.name)}</Name>
                </td>
                <td className="fit">
                  <span className="row nested">
                    <button type="button" className="button small" onClick={() => setEdited(provider)}>
                      Change<span className="hidden"> {provider.name}</span>
                    </button>
                    <button type="button" className="button small danger" onClick={() => setDeleted(provider)}>
                      Delete<span className="hidden"> {provider.name}</span>
                    </button>
                  </span>
                </td>
              </tr>
            ))}
          </DataTable>
        )}
      </section>
      {edited === null ? null : (
        <IdentityProviderDialog provider={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      {deleted === null ? null : <DeleteDialog provider={deleted} onClose={() => setDeleted(null)} />}
    </>
  );
}
