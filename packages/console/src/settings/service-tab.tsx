import { useQuery } from '@tanstack/react-query';
import { Badge } from '../design/badge.tsx';
import { Facts } from '../design/facts.tsx';
import { Name } from '../design/name.tsx';
import { ErrorState, Loading } from '../design/states.tsx';
import { serviceQuery } from './queries.ts';

type Check = Record<string, unknown> | undefined;

const text = (check: Check, field: string) => <Name>{String(check?.[field] ?? '–')}</Name>;

function Status({ check }: { check: Check }) {
  if (check?.['status'] === 'ok') return <Badge tone="good">responds</Badge>;
  return (
    <>
      <Badge tone="bad">unavailable</Badge> {text(check, 'cause')}
    </>
  );
}

/** The version and health of the service. */
export function ServiceTab() {
  const { data, error, refetch } = useQuery(serviceQuery);
  if (data === undefined)
    return <div className="card">{error === null ? <Loading /> : <ErrorState error={error} retry={refetch} />}</div>;
  const { version, ready, storage } = data;
  return (
    <Facts
      facts={[
        ['Version', text(version, 'service')],
        ['Database', <Status key="database" check={ready} />],
        ['Storage', <Status key="storage" check={storage} />],
        ['Schema', text(version, 'schema')],
        ['Time zones', text(version, 'zone_database')],
      ]}
    />
  );
}
