import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { PageHeader } from '../design/page-header.tsx';
import { Tabs, WHOLE_ADDRESS } from '../design/tabs.tsx';
import { useTitle } from '../design/use-title.ts';
import { sessionQuery } from '../session/session.ts';
import { svcCommand } from '../text/commands.ts';
import { instantIn } from '../text/periods.ts';
import { ByObjectTab } from './by-object-tab.tsx';
import { ByPrincipalTab } from './by-principal-tab.tsx';
import { ExplainTab } from './explain-tab.tsx';
import { GrantsTab } from './grants-tab.tsx';
import { GroupsTab } from './groups-tab.tsx';
import { actionOf, choiceOf, namesOf } from './object-fields.tsx';
import { PrincipalsTab } from './principals-tab.tsx';
import { RequestsTab } from './requests/requests-tab.tsx';
import { type AccessSearch, daysIn, TABS, type Tab, type TabProps, tabOf } from './tabs.ts';
import { TokensTab } from './tokens-tab.tsx';
import './access.css';

const CONTENTS: Record<Tab, (props: TabProps) => React.ReactNode> = {
  principal: ByPrincipalTab,
  object: ByObjectTab,
  explain: ExplainTab,
  grants: GrantsTab,
  requests: RequestsTab,
  groups: GroupsTab,
  principals: PrincipalsTab,
  tokens: TokensTab,
};

/** The command that shows what the tab shows. */
function commandOf(env: string, search: AccessSearch, self: string): string {
  const { principal, group, q, kind } = search;
  const unusedDays = daysIn(search.unused);
  const choice = choiceOf(search);
  const names = namesOf(env, choice);
  const object =
    names?.service_account === undefined
      ? { scope: Object.values(names ?? {}).join('/') || undefined }
      : { 'service-account': names.service_account };
  const action = actionOf(choice.kind, search.action);
  switch (tabOf(search.tab)) {
    case 'object':
      return svcCommand('access who', null, { action, ...object });
    case 'explain':
      return svcCommand('access explain', principal ?? self, {
        ...object,
        action,
        at: instantIn(search.at)?.toISOString(),
      });
    case 'grants':
      return svcCommand('grant list', null, {
        principal,
        group,
        action: search.action,
        ...(kind === undefined ? {} : { env: names?.environment, ns: names?.namespace, table: names?.table }),
        ...(kind === undefined ? {} : { 'service-account': names?.service_account }),
        'unused-for': unusedDays === undefined ? undefined : `${unusedDays}d`,
      });
    case 'requests':
      return svcCommand('access requests', null, { state: search.state });
    case 'groups':
      return group === undefined
        ? svcCommand('group list', null, { search: q })
        : svcCommand('api', ['GET', `groups/${encodeURIComponent(group)}/members`], {});
    case 'principals':
      return svcCommand('principal list', null, { search: q });
    case 'tokens':
      return svcCommand('token list', self, {});
    default:
      return svcCommand('access objects', principal ?? self, {});
  }
}

/** Who can do what, and why. */
export function AccessPage() {
  const { env } = useParams({ from: '/signed-in/$env/access' });
  const search = useSearch({ from: '/signed-in/$env/access' });
  const navigate = useNavigate({ from: '/$env/access' });
  const self = useQuery(sessionQuery).data?.principal.name ?? '';
  const tab = tabOf(search.tab);
  const Content = CONTENTS[tab];
  useTitle(TABS[tab], 'Access', env);
  return (
    <div className="page">
      <PageHeader title="Access" command={commandOf(env, search, self)} />
      <Tabs label="Parts of access">
        {(Object.keys(TABS) as Tab[]).map((each) => (
          <Link
            key={each}
            to="/$env/access"
            params={{ env }}
            search={each === 'principal' ? {} : { tab: each }}
            activeOptions={WHOLE_ADDRESS}
            aria-current={each === tab ? 'page' : undefined}
          >
            {TABS[each]}
          </Link>
        ))}
      </Tabs>
      {/* The fields of a tab start with what the address has: also after "Back". */}
      <Content
        key={JSON.stringify([
          tab,
          search.kind,
          search.namespace,
          search.table,
          search.account,
          search.action,
          search.principal,
          search.at,
        ])}
        env={env}
        search={search}
        self={self}
        onChange={(changed) => void navigate({ search: { ...search, ...changed } })}
      />
    </div>
  );
}
