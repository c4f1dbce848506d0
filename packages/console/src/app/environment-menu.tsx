import * as Menu from '@radix-ui/react-dropdown-menu';
import { useQuery } from '@tanstack/react-query';
import { useRouter, useRouterState } from '@tanstack/react-router';
import { Icon } from '../design/icons.tsx';
import { Name } from '../design/name.tsx';
import { environmentsQuery } from '../service/queries.ts';
import { pageOf } from './pages.ts';

/** Shows the environment, and switches to the same part of another one. */
export function EnvironmentMenu({ env }: { env: string }) {
  const { data = [] } = useQuery(environmentsQuery);
  const router = useRouter();
  const page = useRouterState({ select: ({ location }) => pageOf(location.pathname) });
  const open = (name: string) => {
    if (name === env) return;
    const to = page === undefined ? '/$env' : (`/$env/${page}` as const);
    void router.navigate({ to, params: { env: name }, search: {} });
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
