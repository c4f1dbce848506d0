import { returnPath } from '@svc/core/return-path';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { ErrorState, Loading } from '../design/states.tsx';
import { Toasts } from '../design/toasts.tsx';
import { cache } from '../service/queries.ts';
import { sessionQuery, signInOptionsQuery } from '../session/session.ts';
import { SignInPage } from '../session/sign-in-page.tsx';
import { FirstPage } from './first-page.tsx';
import { MissingPage } from './missing-page.tsx';
import { Shell } from './shell.tsx';

const BASE = '/console';

/** The texts of an address; a parameter that isn't a text, or isn't known, is left out. */
function texts<K extends string>(
  search: Record<string, unknown>,
  names: readonly K[],
): { [N in K]?: string | undefined } {
  const found = names.flatMap((name) => {
    const value = search[name];
    // The router parses numbers and the like.
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    return typeof text === 'string' && text !== '' ? [[name, text] as const] : [];
  });
  return Object.fromEntries(found) as { [N in K]?: string | undefined };
}

const rootRoute = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <Toasts />
    </>
  ),
  notFoundComponent: MissingPage,
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>) => texts(search, ['to', 'failure', 'request']),
  beforeLoad: async ({ search }) => {
    const [session] = await Promise.all([
      cache.ensureQueryData(sessionQuery).catch(() => null),
      cache.ensureQueryData(signInOptionsQuery).catch(() => null),
    ]);
    if (session !== null) throw redirect({ href: BASE + returnPath(search.to), replace: true });
  },
  component: SignInPage,
});

const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    const session = await cache.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: '/sign-in', search: { to: location.href }, replace: true });
    if (session.limit !== null && location.pathname !== '/-/account')
      throw redirect({ to: '/-/account', replace: true });
  },
  component: Outlet,
});

const firstRoute = createRoute({ getParentRoute: () => signedInRoute, path: '/', component: FirstPage });

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/-/account',
  component: lazyRouteComponent(() => import('../account/account-page.tsx'), 'AccountPage'),
});

const environmentRoute = createRoute({ getParentRoute: () => signedInRoute, path: '/$env', component: Shell });

const homeRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../home/home-page.tsx'), 'HomePage'),
});

const catalogRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/catalog',
  validateSearch: (search: Record<string, unknown>) => texts(search, ['q']),
  component: lazyRouteComponent(() => import('../catalog/catalog-page.tsx'), 'CatalogPage'),
});

const namespaceRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/catalog/$namespace',
  validateSearch: (search: Record<string, unknown>) => texts(search, ['tab']),
  component: lazyRouteComponent(() => import('../catalog/namespace-page.tsx'), 'NamespacePage'),
});

const tableRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/catalog/$namespace/$table',
  validateSearch: (search: Record<string, unknown>) => texts(search, ['tab', 'as']),
  component: lazyRouteComponent(() => import('../catalog/table-page.tsx'), 'TablePage'),
});

const sqlRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/sql',
  validateSearch: (search: Record<string, unknown>) =>
    texts(search, ['open', 'sql', 'query', 'table', 'saved', 'tab', 'chart', 'x', 'y', 'q']),
  component: lazyRouteComponent(() => import('../sql/sql-page.tsx'), 'SqlPage'),
});

const runsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/runs',
  validateSearch: (search: Record<string, unknown>) =>
    texts(search, ['view', 'status', 'trigger', 'since', 'until', 'job', 'repository']),
  component: lazyRouteComponent(() => import('../runs/runs-page.tsx'), 'RunsPage'),
});

const runRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/runs/$run',
  validateSearch: (search: Record<string, unknown>) => texts(search, ['tab', 'task', 'attempt', 'q']),
  component: lazyRouteComponent(() => import('../runs/run-page.tsx'), 'RunPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/audit',
  validateSearch: (search: Record<string, unknown>) =>
    texts(search, ['tab', 'event', 'type', 'principal', 'scope', 'namespace', 'table', 'request', 'since', 'until']),
  component: lazyRouteComponent(() => import('../audit/audit-page.tsx'), 'AuditPage'),
});

const accessRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/access',
  validateSearch: (search: Record<string, unknown>) =>
    texts(search, [
      ...['tab', 'kind', 'namespace', 'table', 'account', 'action', 'principal', 'group', 'q', 'state'],
      ...['unused', 'at'],
    ]),
  component: lazyRouteComponent(() => import('../access/access-page.tsx'), 'AccessPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/settings',
  validateSearch: (search: Record<string, unknown>) => texts(search, ['tab']),
  component: lazyRouteComponent(() => import('../settings/settings-page.tsx'), 'SettingsPage'),
});

const jobsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/jobs',
  validateSearch: (search: Record<string, unknown>) => texts(search, ['q', 'repository', 'state']),
  component: lazyRouteComponent(() => import('../jobs/jobs-page.tsx'), 'JobsPage'),
});

const jobRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/jobs/$repository/$job',
  component: lazyRouteComponent(() => import('../jobs/job-page.tsx'), 'JobPage'),
});

const projectsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/projects',
  component: lazyRouteComponent(() => import('../projects/projects-page.tsx'), 'ProjectsPage'),
});

const projectRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/projects/$repository',
  validateSearch: (search: Record<string, unknown>) => texts(search, ['tab', 'deploy', 'q', 'compare', 'against']),
  component: lazyRouteComponent(() => import('../projects/project-page.tsx'), 'ProjectPage'),
});

const lineageRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/lineage',
  validateSearch: (search: Record<string, unknown>) => texts(search, ['asset', 'repository', 'q']),
  component: lazyRouteComponent(() => import('../lineage/lineage-page.tsx'), 'LineagePage'),
});

const tableLineageRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/lineage/$namespace/$table',
  validateSearch: (search: Record<string, unknown>) => texts(search, ['asset', 'direction', 'depth', 'q']),
  component: lazyRouteComponent(() => import('../lineage/table-lineage-page.tsx'), 'TableLineagePage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    signedInRoute.addChildren([
      firstRoute,
      accountRoute,
      environmentRoute.addChildren([
        homeRoute,
        catalogRoute,
        namespaceRoute,
        tableRoute,
        sqlRoute,
        runsRoute,
        runRoute,
        auditRoute,
        accessRoute,
        settingsRoute,
        jobsRoute,
        jobRoute,
        projectsRoute,
        projectRoute,
        lineageRoute,
        tableLineageRoute,
      ]),
    ]),
  ]),
  basepath: BASE,
  defaultPreload: false,
  defaultPendingComponent: () => <Loading label="Loading the page" />,
  defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} retry={reset} />,
  defaultNotFoundComponent: MissingPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
