import { Link } from '@tanstack/react-router';
import { Name } from '../design/name.tsx';

export const catalogCrumb = (env: string) => (
  <Link to="/$env/catalog" params={{ env }} search={{}}>
    Catalog
  </Link>
);

/** The namespace with those that contain it; the parts of a dotted path are links. */
export function namespaceCrumbs(env: string, namespace: string) {
  const parts = namespace.split('.');
  return parts.map((part, index) => (
    <Link
      key={part}
      to="/$env/catalog/$namespace"
      params={{ env, namespace: parts.slice(0, index + 1).join('.') }}
      search={{}}
    >
      <Name>{part}</Name>
    </Link>
  ));
}
