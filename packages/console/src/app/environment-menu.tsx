import * as Menu from '@radix-ui/react-dropdown-menu';
import { useQuery } from '@tanstack/react-query';
import { useRouter, useRouterState } from '@tanstack/react-router';
import { Icon } from '../design/icons.tsx';
import { Name } from '../design/name.tsx';
import { environmentsQuery } from '../service/queries.ts';

const PAGES = ['catalog', 'sql', 'runs', 'lineage'] as const;

/** The part of the console that an address below `/console/<env>/` shows. */
export function sectionOf(pathname: string): (typeof PAGES)[number] {
  const part = pathname.split('/')[2];
  return PAGES.find((page) => page === part) ?? 'catalog';
}

/** Shows the environment, and switches to the same part of another one. */
export function EnvironmentMenu({ env }: { env: string }) {
  const { data = [] } = useQuery(environmentsQuery);
  const router = useRouter();
  const section = useRouterState({ select: ({ location }) => sectionOf(location.pathname) });
  const open = (name: string) => {
    if (name !== env) void router.navigate({ to: `/$env/${section}`, params: { env: name }, search: {} });
  };
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="button quiet wide switcher" aria-label={`Environment ${env}: switch`}>
        <span className="mark" aria-hidden="true">
          <Icon name="lines" />
        </span>
        <Name clipped>{env}</Name>
        <Icon name="chevrons" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content className="menu" align="start" sideOffset={6} collisionPadding={8} loop>
          <Menu.Label className="menu-label">Environments</Menu.Label>
          <Menu.RadioGroup value={env} onValueChange={open}>
            {data.map(({ name, protected: isProtected }) => (
              <Menu.RadioItem key={name} value={name} className="menu-item">
                <Name>{name}</Name>
                <span className="end row">
                  {isProtected ? 'protected' : null}
                  <Menu.ItemIndicator>
                    <Icon name="check" />
                  </Menu.ItemIndicator>
                </span>
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}
