import type { Namespace } from '@svc/sdk/browser';
import { Link } from '@tanstack/react-router';
import { DataTable } from '../design/data-table.tsx';
import { Icon } from '../design/icons.tsx';
import { Name } from '../design/name.tsx';
import { Time } from '../design/time.tsx';

interface NamespaceTableProps {
  env: string;
  namespaces: readonly Namespace[];
  /** The namespace whose children these are. */
  within?: string;
}

/** Namespaces by path. A nested one is indented below the one that contains it. */
export function NamespaceTable({ env, namespaces, within }: NamespaceTableProps) {
  const start = within === undefined ? 0 : within.length + 1;
  const paths = new Set(namespaces.map(({ path }) => path));
  return (
    <DataTable columns={['Namespace', ['Description', 'wide-only'], ['Created', 'end wide-only']]}>
      {namespaces.map(({ path, description, created_at }) => {
        const { depth, label } = indentation(path.slice(start), paths, path.slice(0, start));
        return (
          <tr key={path} className="linked">
            <td>
              <Link
                to="/$env/catalog/$namespace"
                params={{ env, namespace: path }}
                search={{}}
                className="row rowlink nested"
                style={{ paddingLeft: depth * 20 }}
              >
                <Icon name="folder" />
                <Name>{label}</Name>
              </Link>
            </td>
            <td className="soft wide-only">{description === null ? null : <Name>{description}</Name>}</td>
            <td className="end soft wide-only">
              <Time at={created_at} />
            </td>
          </tr>
        );
      })}
    </DataTable>
  );
}

/** The name below the nearest namespace that is shown, and how many of those there are. */
function indentation(path: string, paths: ReadonlySet<string>, prefix: string): { depth: number; label: string } {
  const parts = path.split('.');
  let depth = 0;
  let shown = 0;
  for (let length = 1; length < parts.length; length++) {
    if (!paths.has(prefix + parts.slice(0, length).join('.'))) continue;
    depth++;
    shown = length;
  }
  return { depth, label: parts.slice(shown).join('.') };
}
