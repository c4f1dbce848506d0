import type { IconName } from '../design/icons.tsx';

interface ListedPage {
  /** The first part of the address below the environment. */
  readonly page: string;
  readonly label: string;
  readonly icon: IconName;
}

/** The pages of an environment besides its home, in the order of the navigation. */
export const PAGES = [
  { page: 'catalog', label: 'Catalog', icon: 'catalog' },
  { page: 'sql', label: 'SQL', icon: 'sql' },
  { page: 'runs', label: 'Runs', icon: 'runs' },
  { page: 'jobs', label: 'Jobs', icon: 'jobs' },
  { page: 'projects', label: 'Projects', icon: 'projects' },
  { page: 'lineage', label: 'Lineage', icon: 'lineage' },
  { page: 'access', label: 'Access', icon: 'key' },
  { page: 'audit', label: 'Audit', icon: 'audit' },
  { page: 'settings', label: 'Settings', icon: 'settings' },
] as const satisfies readonly ListedPage[];

export type PageName = (typeof PAGES)[number]['page'];

/** The page that an address below `/console/<env>/` shows; undefined for the home. */
export function pageOf(pathname: string): PageName | undefined {
  const part = pathname.split('/')[2];
  return PAGES.find(({ page }) => page === part)?.page;
}
