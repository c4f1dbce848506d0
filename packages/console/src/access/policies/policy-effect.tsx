import type { Table } from '@svc/sdk/browser';
import { useMutation } from '@tanstack/react-query';
import { DataTable } from '../../design/data-table.tsx';
import { Name } from '../../design/name.tsx';
import { ErrorNotice } from '../../design/states.tsx';
import { cellText } from '../../results/cell-text.ts';
import { svc } from '../../service/client.ts';
import { count } from '../../text/numbers.ts';
import { effectSql, type PolicyDraft } from './policy.ts';

interface PolicyEffectProps {
  env: string;
  table: Table;
  draft: PolicyDraft;
}

/** What the policy would do to the rows, read by a query of the caller. */
export function PolicyEffect({ env, table, draft }: PolicyEffectProps) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => (await svc.queries.run(env, effectSql(table, draft))).rows,
  });
  return (
    <div className="stack tight">
      <div className="row">
        <button
          type="button"
          className="button small"
          disabled={isPending || draft.expression.trim() === ''}
          onClick={() => mutate()}
        >
          {isPending ? 'Running …' : 'Show the effect'}
        </button>
        <span className="soft">with a query of yours on the current rows</span>
      </div>
      {error === null ? null : <ErrorNotice error={error} />}
      {data === undefined ? null : draft.kind === 'filter' ? (
        <p className="notice" role="status">
          {count(Number(data[0]?.visible_rows))} of {count(Number(data[0]?.all_rows))} rows stay visible.
        </p>
      ) : (
        <Examples rows={data} />
      )}
    </div>
  );
}

function Examples({ rows }: { rows: readonly Readonly<Record<string, unknown>>[] }) {
  if (rows.length === 0)
    return (
      <p className="notice" role="status">
        The table has no rows.
      </p>
    );
  return (
    <div className="card" role="status">
      <DataTable columns={['Before', 'After']}>
        {rows.map((row, index) => (
          <tr key={index}>
            <Value>{cellText(row.before)}</Value>
            <Value>{cellText(row.after)}</Value>
          </tr>
        ))}
      </DataTable>
    </div>
  );
}

const Value = ({ children }: { children: string | null }) => (
  <td className={children === null ? 'soft' : undefined}>
    <Name>{children ?? 'NULL'}</Name>
  </td>
);
