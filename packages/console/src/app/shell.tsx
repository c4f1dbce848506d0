import { useIsFetching } from '@tanstack/react-query';
import { Link, Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../design/icons.tsx';
import { useCurrentInView } from '../design/use-current-in-view.ts';
import { useLive } from '../service/use-live.ts';
import { EnvironmentMenu } from './environment-menu.tsx';
import { rememberEnvironment } from './last-environment.ts';
import { PAGES } from './pages.ts';
import { Palette } from './palette.tsx';
import { UserMenu } from './user-menu.tsx';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Opens and closes the palette with Ctrl-K or ⌘-K. */
function usePalette() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      // A dialog asks something: the palette waits for the answer.
      if (document.querySelector('dialog[open]:not(.palette)') === null) setOpen((shown) => !shown);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return { open, setOpen };
}

/** Moves the focus to a new page, as a browser does with documents, so that screen readers announce it. */
function useFocusOnNewPage() {
  const content = useRef<HTMLElement>(null);
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    content.current?.scrollTo(0, 0);
    content.current?.focus({ preventScroll: true });
  }, [pathname]);
  return content;
}

function Navigation({ env }: { env: string }) {
  const nav = useCurrentInView<HTMLElement>();
  return (
    <nav className="nav" aria-label="Pages" ref={nav}>
      <Link to="/$env" params={{ env }} activeOptions={{ exact: true, includeSearch: false }}>
        <Icon name="home" />
        Home
      </Link>
      {PAGES.map(({ page, label, icon }) => (
        <Link key={page} to={`/$env/${page}`} params={{ env }} search={{}} activeOptions={{ includeSearch: false }}>
          <Icon name={icon} />
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** What surrounds every page of an environment. */
export function Shell() {
  const { env } = useParams({ from: '/signed-in/$env' });
  const { open, setOpen } = usePalette();
  const content = useFocusOnNewPage();
  const isFetching =
    useIsFetching({ predicate: ({ state, meta }) => state.data === undefined && !meta?.['quiet'] }) > 0;
  useEffect(() => rememberEnvironment(env), [env]);
  useLive(env);
  return (
    <div className="shell">
      <a href="#content" className="button skip">
        Skip to the content
      </a>
      <div className="sidebar">
        <div className="top">
          <EnvironmentMenu env={env} />
          <button type="button" className="button wide find" onClick={() => setOpen(true)}>
            <Icon name="search" />
            <span>Search</span>
            <span className="grow" />
            <span aria-hidden="true" className="keys">
              {isApple ? '⌘K' : 'Ctrl K'}
            </span>
          </button>
        </div>
        <Navigation env={env} />
        <div className="grow" />
        <div className="account">
          <UserMenu />
        </div>
      </div>
      <main className="content" id="content" tabIndex={-1} ref={content}>
        {isFetching ? <div className="progress" /> : null}
        <Outlet />
      </main>
      {open ? <Palette env={env} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}
