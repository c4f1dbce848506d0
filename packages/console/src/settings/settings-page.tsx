import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Guarded } from '../access/guarded.tsx';
import { PageHeader } from '../design/page-header.tsx';
import { Tabs, WHOLE_ADDRESS } from '../design/tabs.tsx';
import { useTitle } from '../design/use-title.ts';
import { svcCommand } from '../text/commands.ts';
import { EnvironmentTab } from './environment-tab.tsx';
import { IdentityProvidersTab } from './identity-providers-tab.tsx';
import { SecretsTab } from './secrets-tab.tsx';
import { ServiceTab } from './service-tab.tsx';
import { SourcesTab } from './sources-tab.tsx';
import { StorageTab } from './storage-tab.tsx';

interface Tab {
  readonly title: string;
  readonly command: (env: string) => string;
  readonly content: (env: string) => ReactNode;
}

const TABS: Readonly<Record<string, Tab>> = {
  environment: {
    title: 'Environment',
    command: (env) => svcCommand('env get', env, {}),
    content: (env) => <EnvironmentTab env={env} />,
  },
  secrets: {
    title: 'Secrets',
    command: (env) => svcCommand('secret list', null, { env }),
    content: (env) => (
      <Guarded action="MANAGE_SECRET" object={{ environment: env }}>
        <SecretsTab env={env} />
      </Guarded>
    ),
  },
  sources: {
    title: 'Repositories and package indexes',
    command: () => svcCommand('repository list', null, {}),
    content: () => <SourcesTab />,
  },
  'identity-providers': {
    title: 'Identity providers',
    command: () => svcCommand('identity-provider list', null, {}),
    content: () => (
      <Guarded action="MANAGE_TOKEN" object={{}}>
        <IdentityProvidersTab />
      </Guarded>
    ),
  },
  storage: {
    title: 'Orphaned locations',
    command: (env) => svcCommand('env orphaned-locations', env, {}),
    content: (env) => (
      <Guarded action="MANAGE_ENVIRONMENT" object={{ environment: env }}>
        <StorageTab env={env} />
      </Guarded>
    ),
  },
  service: { title: 'Service', command: () => svcCommand('doctor', null, {}), content: () => <ServiceTab /> },
};

/** The settings of an environment, and what projects and operators need of the instance. */
export function SettingsPage() {
  const { env } = useParams({ from: '/signed-in/$env/settings' });
  const { tab: name = 'environment' } = useSearch({ from: '/signed-in/$env/settings' });
  const known = Object.hasOwn(TABS, name) ? name : 'environment';
  const tab = TABS[known];
  useTitle(tab?.title ?? '', 'Settings', env);
  if (tab === undefined) return null;
  return (
    <div className="page">
      <PageHeader title="Settings" command={tab.command(env)} />
      <Tabs label="Parts of the settings">
        {Object.entries(TABS).map(([each, { title }]) => (
          <Link
            key={each}
            to="/$env/settings"
            params={{ env }}
            search={each === 'environment' ? {} : { tab: each }}
            activeOptions={WHOLE_ADDRESS}
          >
            {title}
          </Link>
        ))}
      </Tabs>
      {tab.content(env)}
    </div>
  );
}
