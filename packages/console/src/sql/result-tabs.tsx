import { Link } from '@tanstack/react-router';
import { Tabs, WHOLE_ADDRESS } from '../design/tabs.tsx';

/** What is shown below the statement. */
export const TABS = {
  result: 'Result',
  chart: 'Chart',
  plan: 'Plan',
  history: 'History',
  saved: 'Saved queries',
} as const;
export type Tab = keyof typeof TABS;

/** What the address keeps while tabs change. */
interface Shown {
  readonly open?: string | undefined;
  readonly query?: string | undefined;
  readonly saved?: string | undefined;
}

export function ResultTabs({ env, shown, tab }: { env: string; shown: Shown; tab: Tab }) {
  const kept = Object.fromEntries(Object.entries(shown).filter(([, id]) => id !== undefined));
  return (
    <Tabs label="Result, plan and lists of queries">
      {(Object.keys(TABS) as Tab[]).map((each) => (
        <Link
          key={each}
          to="/$env/sql"
          params={{ env }}
          search={each === 'result' ? kept : { ...kept, tab: each }}
          activeOptions={each === 'result' ? WHOLE_ADDRESS : { exact: each !== tab, includeSearch: true }}
        >
          {TABS[each]}
        </Link>
      ))}
    </Tabs>
  );
}
