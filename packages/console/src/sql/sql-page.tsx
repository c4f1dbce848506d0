import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useId } from 'react';
import { PageHeader } from '../design/page-header.tsx';
import { Loading } from '../design/states.tsx';
import { useTitle } from '../design/use-title.ts';
import { svcCommand } from '../text/commands.ts';
import { TABS, type Tab } from './result-tabs.tsx';
import { savedQueryQuery } from './saved/queries.ts';
import { commandOf } from './statement-command.ts';
import { searchOf } from './tabs/address.ts';
import { BLANK, titleOf } from './tabs/tab-content.ts';
import { TabNotices } from './tabs/tab-notices.tsx';
import { TabStrip } from './tabs/tab-strip.tsx';
import { useActiveTab } from './tabs/use-active-tab.ts';
import { useParameters } from './use-marks.ts';
import { Workspace } from './workspace.tsx';
import './sql.css';

function Page({ env }: { env: string }) {
  const { saved: savedId, tab: named, q } = useSearch({ from: '/signed-in/$env/sql' });
  const navigate = useNavigate({ from: '/$env/sql' });
  const panel = useId();
  const { store, state, active } = useActiveTab(env);
  const content = active?.content ?? BLANK;
  const { sql, inputs } = content;
  const names = useParameters(sql);
  const { data: saved } = useQuery({ ...savedQueryQuery(env, savedId ?? ''), enabled: savedId !== undefined });
  const tab = (Object.keys(TABS) as Tab[]).find((each) => each === named) ?? 'result';
  const commands: Partial<Record<Tab, string>> = {
    history: svcCommand('query list', null, { env, all: true }),
    saved: svcCommand('saved-query list', null, { env, search: q }),
    plan: commandOf(env, { sql: `EXPLAIN ${sql.trim() || 'select 1'}`, names, inputs, saved: undefined }),
  };
  useTitle(sql === '' && content.title === null ? 'SQL' : titleOf(content), env);
  const show = async (id: string | null) => {
    const tabToShow = store.find(id ?? undefined);
    if (tabToShow !== undefined) await navigate({ search: searchOf(tabToShow.id, tabToShow.content) });
  };
  const close = async (id: string) => {
    // The address must not name a tab that is closed: it would be opened again.
    if (id === active?.id) await show(store.after(id));
    store.close(id);
  };
  return (
    <div className="page">
      <PageHeader title="SQL" command={commands[tab] ?? commandOf(env, { sql, names, inputs, saved })} />
      {active === undefined ? (
        <Loading rows={5} label="Loading the tabs" />
      ) : (
        <div className="stack">
          <TabStrip
            tabs={state.tabs}
            active={active}
            panel={panel}
            canReopen={state.closed.length > 0}
            onSelect={show}
            onNew={() => show(store.open(BLANK))}
            onClose={close}
            onReopen={() => show(store.reopen())}
            onRename={(title) => store.edit(active.id, { title })}
          />
          <TabNotices
            tab={active}
            loadError={state.isLoaded ? null : state.loadError}
            onRetry={() => store.retry()}
            onChooseMine={() => store.chooseMine(active.id)}
            onChooseTheirs={() => store.chooseTheirs(active.id)}
            onChooseBoth={() => show(store.chooseBoth(active.id))}
          />
          <div role="tabpanel" id={panel} aria-labelledby={`tab-${active.id}`} className="stack">
            <Workspace
              key={active.id}
              {...{ env, content, names, tab }}
              onChange={(changed) => store.edit(active.id, changed)}
            />
          </div>
        </div>
      )}
    </div>
  );
}

/** SQL statements in tabs, and their results. */
export function SqlPage() {
  const { env } = useParams({ from: '/signed-in/$env/sql' });
  return <Page key={env} env={env} />;
}
