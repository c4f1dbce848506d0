import type { SearchResult } from '@svc/sdk/browser';
import { Link } from '@tanstack/react-router';
import { DataTable } from '../design/data-table.tsx';
import { Icon } from '../design/icons.tsx';
import { Name } from '../design/name.tsx';
import { tableTarget } from './table-target.ts';

const LABELS = { namespace: 'Namespace', table: 'Table', column: 'Column', asset: 'Asset', job: 'Job' } as const;

function ResultLink({ env, result }: { env: string; result: SearchResult }) {
  const { kind, name, table } = result;
  const content = (
    <>
      <Icon name={kind === 'namespace' ? 'folder' : kind === 'column' ? 'column' : 'table'} />
      <Name>{name}</Name>
    </>
  );
  if (kind === 'namespace')
    return (
      <Link to="/$env/catalog/$namespace" params={{ env, namespace: name }} search={{}} className="row rowlink">
        {content}
      </Link>
    );
  return (
    <Link {...tableTarget(env, table ?? name)} className="row rowlink">
      {content}
    </Link>
  );
}

/** Namespaces, tables and columns that the search found, in its order. */
export function SearchResults({ env, results }: { env: string; results: readonly SearchResult[] }) {
  return (
    <DataTable columns={['Name', 'Kind', ['Table', 'wide-only'], ['Description', 'wide-only']]}>
      {results.map((result) => (
        <tr key={JSON.stringify([result.kind, result.name, result.table])} className="linked">
          <td>
            <ResultLink env={env} result={result} />
          </td>
          <td className="soft">{LABELS[result.kind]}</td>
          <td className="soft wide-only">{result.table === null ? null : <Name>{result.table}</Name>}</td>
          <td className="soft wide-only">{result.description === null ? null : <Name>{result.description}</Name>}</td>
        </tr>
      ))}
    </DataTable>
  );
}
