import type { QueryParams } from '@svc/core/queries';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyButton } from '../../design/copy.tsx';
import { Name } from '../../design/name.tsx';
import { Empty, ErrorState, Loading } from '../../design/states.tsx';
import { svc } from '../../service/client.ts';
import { visibleLines } from '../../text/visible.ts';
import { estimateOf, type PlanNode, type PlanRow, planText, planTree } from './plan-tree.ts';
import './plan.css';

interface Statement {
  readonly sql: string;
  readonly params: QueryParams | undefined;
}

/** A plan depends on the tables as they are, so it is made again each time. */
const usePlan = (env: string, { sql, params }: Statement, number: number) =>
  useQuery({
    queryKey: ['plan', env, sql, params ?? null, number],
    queryFn: async ({ signal }) => {
      const { rows } = await svc.queries.run<PlanRow>(env, `EXPLAIN ${sql}`, { params, signal });
      return rows;
    },
    enabled: sql.trim() !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: { quiet: true },
  });

function Operators({ nodes }: { nodes: readonly PlanNode[] }) {
  return (
    <ul>
      {nodes.map((node, index) => (
        <li key={index}>
          <div className="operator">
            <p className="row">
              <strong className="mono">
                <Name>{node.operator}</Name>
              </strong>
              {node.table === null ? null : <Name>{node.table}</Name>}
              {node.estimated_rows === null ? null : <span className="soft number">{estimateOf(node)}</span>}
            </p>
            {node.details === null ? null : <p className="soft mono lines name">{visibleLines(node.details)}</p>}
          </div>
          {node.children.length === 0 ? null : <Operators nodes={node.children} />}
        </li>
      ))}
    </ul>
  );
}

/** How the service would run the statement in the editor. */
export function PlanTab({ env, sql, params }: { env: string } & Statement) {
  // Typing doesn't make a plan of each state of the statement.
  const [planned, setPlanned] = useState<Statement>({ sql, params });
  const [number, setNumber] = useState(0);
  const { data, error, refetch } = usePlan(env, planned, number);
  const isChanged = sql !== planned.sql || JSON.stringify(params) !== JSON.stringify(planned.params);
  const update = () => {
    setPlanned({ sql, params });
    setNumber(number + 1);
  };
  const toolbar = (
    <div className="row spread toolbar">
      <p className="soft">
        {isChanged
          ? 'The statement has changed since.'
          : 'Operators of the plan: the first one returns the result. Nothing was run.'}
      </p>
      <div className="row">
        <button type="button" className="button small" disabled={sql.trim() === ''} onClick={update}>
          Update the plan
        </button>
        {data === undefined ? null : <CopyButton text={() => planText(data)} label="Copy the plan as text" />}
      </div>
    </div>
  );
  if (planned.sql.trim() === '')
    return (
      <>
        {toolbar}
        <Empty icon="lineage" title="Write a statement to see its plan">
          The plan shows the operators of a SELECT, without running it.
        </Empty>
      </>
    );
  if (error !== null)
    return (
      <>
        {toolbar}
        <ErrorState error={error} retry={refetch} />
      </>
    );
  if (data === undefined) return <Loading label="Loading the plan" />;
  const hasEstimates = data.some(({ estimated_rows }) => estimated_rows !== null);
  return (
    <>
      {toolbar}
      {hasEstimates ? null : (
        <p className="toolbar soft">
          There are no estimates, because the statement reads no table, or reads a view or a table with a row filter or
          column mask.
        </p>
      )}
      <section className="scroll-x plan" aria-label="Operators" tabIndex={0}>
        <Operators nodes={planTree(data)} />
      </section>
    </>
  );
}
