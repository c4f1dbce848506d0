import * as Menu from '@radix-ui/react-dropdown-menu';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { Icon } from '../design/icons.tsx';
import { Name } from '../design/name.tsx';
import { DENSITIES, setDensity, setTheme, THEMES, useDensity, useTheme } from '../design/theme.ts';
import { notify } from '../design/toasts.tsx';
import { sessionQuery, signOut } from '../session/session.ts';

const LABELS = {
  system: 'Like the system',
  light: 'Light',
  dark: 'Dark',
  comfortable: 'Comfortable',
  compact: 'Compact',
} as const;

function Choice<T extends keyof typeof LABELS>(props: {
  label: string;
  values: readonly T[];
  value: T;
  onChange: (value: T) => void;
}) {
  return (
    <Menu.RadioGroup value={props.value} onValueChange={(value) => props.onChange(value as T)}>
      <Menu.Label className="menu-label">{props.label}</Menu.Label>
      {props.values.map((value) => (
        <Menu.RadioItem key={value} value={value} className="menu-item" onSelect={(event) => event.preventDefault()}>
          {LABELS[value]}
          <Menu.ItemIndicator className="end">
            <Icon name="check" />
          </Menu.ItemIndicator>
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

/** The signed-in principal, the appearance and the sign-out. */
export function UserMenu() {
  const { data: session } = useQuery(sessionQuery);
  const router = useRouter();
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => router.navigate({ to: '/sign-in', search: {} }),
    onError: (error) => notify(`The sign-out failed: ${error.message}`),
  });
  const name = session?.principal.name ?? '';
  const theme = useTheme();
  const density = useDensity();
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="button quiet wide" aria-label={`Account of ${name}`}>
        <Icon name="user" />
        <Name clipped>{name}</Name>
        <Icon name="chevrons" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content className="menu" align="end" sideOffset={6} collisionPadding={8} loop>
          <Menu.Label className="menu-label">
            Signed in as <Name>{name}</Name>
          </Menu.Label>
          <Menu.Separator className="menu-line" />
          <Choice label="Theme" values={THEMES} value={theme} onChange={setTheme} />
          <Menu.Separator className="menu-line" />
          <Choice label="Density" values={DENSITIES} value={density} onChange={setDensity} />
          <Menu.Separator className="menu-line" />
          <Menu.Item className="menu-item" asChild>
            <Link to="/-/account">Account</Link>
          </Menu.Item>
          <Menu.Item className="menu-item" asChild>
            <a href="/docs">Documentation</a>
          </Menu.Item>
          <Menu.Item className="menu-item" onSelect={() => leave.mutate()}>
            Sign out
          </Menu.Item>
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}
