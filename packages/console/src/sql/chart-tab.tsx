import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { Options } from '../design/options.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { CHART_KINDS, type ChartChoice, chartChoice, chartData, scaleOf } from '../results/chart-data.ts';
import { count, plural } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import { CHART_ROWS, chartQuery } from './queries.ts';

const Plot = lazy(() => import('./plot.tsx'));

interface SelectProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}

function Select({ label, value, options, onChange }: SelectProps) {
  return (
    <label className="row chart-choice">
      <span className="soft">{label}</span>
      <select className="select" value={value} onChange={(event) => onChange(event.target.value)}>
        <Options of={options} />
      </select>
    </label>
  );
}

type Columns = NonNullable<ReturnType<typeof useChart>['data']>['columns'];

const useChart = (env: string, id: string) => useQuery(chartQuery(env, id));

/** What is drawn; the address has the choice. */
function Controls({ columns, choice }: { columns: Columns; choice: ChartChoice }) {
  const navigate = useNavigate({ from: '/$env/sql' });
  const change = (changed: { chart?: string; x?: string | undefined; y?: string | undefined }) =>
    void navigate({ search: (search) => ({ ...search, ...changed }), replace: true });
  const options = columns.map(({ name }, index) => [String(index), visible(name)] as const);
  const numbers = options.filter((_, index) => scaleOf(columns[index]?.type ?? '') === 'number');
  const nameAt = (index: string) => columns[Number(index)]?.name;
  return (
    <>
      <Select
        label="Chart"
        value={choice.kind}
        options={Object.entries(CHART_KINDS)}
        onChange={(chart) => change({ chart })}
      />
      <Select label="x" value={String(choice.x)} options={options} onChange={(at) => change({ x: nameAt(at) })} />
      <Select label="y" value={String(choice.y)} options={numbers} onChange={(at) => change({ y: nameAt(at) })} />
    </>
  );
}

/** The result of a query as a chart. The tab with the rows is its text alternative. */
export function ChartTab({ env, id }: { env: string; id: string }) {
  const { chart, x, y } = useSearch({ from: '/signed-in/$env/sql' });
  const { data, error, refetch } = useChart(env, id);
  const choice = useMemo(
    () => (data === undefined ? null : chartChoice(data.columns, { kind: chart, x, y })),
    [data, chart, x, y],
  );
  const drawn = useMemo(() => (data === undefined || choice === null ? null : chartData(data, choice)), [data, choice]);
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <Loading label="Loading the result" />;
  if (choice === null || drawn === null)
    return (
      <Empty icon="chart" title="The result has no column of numbers">
        A chart draws numbers against another column. Return some, for example with count(*) or sum().
      </Empty>
    );
  if (drawn.x.length === 0)
    return (
      <Empty icon="chart" title="No points">
        No row has a value for the x axis.
      </Empty>
    );
  const [xName, yName] = [data.columns[choice.x]?.name ?? '', data.columns[choice.y]?.name ?? ''];
  return (
    <>
      <div className="row toolbar">
        <Controls columns={data.columns} choice={choice} />
        <span className="soft number" role="status">
          {plural(drawn.x.length, 'point')}
          {drawn.omitted === 0 ? '' : `, ${count(drawn.omitted)} without a value left out`}
        </span>
      </div>
      {data.next_cursor === null ? null : (
        <p className="toolbar soft">
          Only the first {count(CHART_ROWS)} rows are drawn. To draw all of them, aggregate in the statement.
        </p>
      )}
      <Suspense fallback={<Loading label="Loading the chart" />}>
        <Plot kind={choice.kind} data={drawn} xName={visible(xName)} yName={visible(yName)} />
      </Suspense>
    </>
  );
}
