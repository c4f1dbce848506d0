import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PageHeader } from '../design/page-header.tsx';
import { SearchBox } from '../design/search-box.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { useTitle } from '../design/use-title.ts';
import { svcCommand } from '../text/commands.ts';
import { NamespaceTable } from './namespace-table.tsx';
import { MAX_NAMESPACES, namespacesQuery, searchQuery } from './queries.ts';
import { SearchResults } from './search-results.tsx';

function Namespaces({ env }: { env: string }) {
  const { data, error, refetch } = useQuery(namespacesQuery(env));
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <Loading />;
  if (data.length === 0)
    return (
      <Empty icon="folder" title="No namespaces yet" command={svcCommand('ns create', 'sales', { env })}>
        A namespace groups tables, as a schema does in a database. Create the first one.
      </Empty>
    );
  return (
    <>
      <NamespaceTable env={env} namespaces={data} />
      {data.length < MAX_NAMESPACES ? null : (
        <p className="more soft">The first {MAX_NAMESPACES} are shown. Search finds the others.</p>
      )}
    </>
  );
}

function Found({ env, q }: { env: string; q: string }) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...searchQuery(env, q, ['namespace', 'table', 'column']),
    placeholderData: keepPreviousData,
  });
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <Loading />;
  if (data.length === 0 && !isPlaceholderData)
    return (
      <Empty icon="search" title="Nothing found">
        No namespace, table or column that you can read has all of these words in its name or description.
      </Empty>
    );
  return <SearchResults env={env} results={data} />;
}

/** The namespaces of an environment, and the search over its tables and columns. */
export function CatalogPage() {
  const { env } = useParams({ from: '/signed-in/$env/catalog' });
  const { q = '' } = useSearch({ from: '/signed-in/$env/catalog' });
  const navigate = useNavigate({ from: '/$env/catalog' });
  useTitle('Catalog', env);
  const text = q.trim();
  const search = useCallback(
    (changed: string) => void navigate({ search: changed === '' ? {} : { q: changed }, replace: q !== '' }),
    [navigate, q],
  );
  const command = text === '' ? svcCommand('ns list', null, { env }) : svcCommand('search', text, { env });
  return (
    <div className="page">
      <PageHeader title="Catalog" command={command} />
      <SearchBox label="Search names and descriptions" value={q} onChange={search} />
      <section className="card" aria-label={text === '' ? 'Namespaces' : 'Search results'}>
        {text === '' ? <Namespaces env={env} /> : <Found env={env} q={text} />}
      </section>
    </div>
  );
}
