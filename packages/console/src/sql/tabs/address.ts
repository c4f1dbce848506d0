import type { Chart, TabContent } from './tab-content.ts';

/** The parts of the address of the SQL page that a tab determines. */
export type TabSearch = {
  readonly [N in 'open' | 'query' | 'saved' | 'tab' | 'chart' | 'x' | 'y']?: string | undefined;
};

const named = (text: string): string | undefined => (text === '' ? undefined : text);

/** The address of a tab: what it shows. */
export function searchOf(open: string, { query, saved, chart }: TabContent): TabSearch {
  return {
    open,
    query: query ?? undefined,
    saved: saved ?? undefined,
    ...(chart === null ? {} : { tab: 'chart', chart: named(chart.kind), x: named(chart.x), y: named(chart.y) }),
  };
}

/** What the address says about the content of its tab. The lists beside the result don't change it. */
export function shownBy(
  { query, saved, tab, chart, x, y }: TabSearch,
  before: TabContent,
): Pick<TabContent, 'query' | 'saved' | 'savedVersion' | 'chart'> {
  const drawn: Chart | null = tab === 'chart' ? { kind: chart ?? '', x: x ?? '', y: y ?? '' } : null;
  return {
    query: query ?? null,
    saved: saved ?? null,
    savedVersion: before.saved === (saved ?? null) ? before.savedVersion : null,
    chart: tab === undefined || tab === 'chart' ? drawn : before.chart,
  };
}
