/** An operator of a plan. */
export interface PlanNode {
  /** 0 for the operator that returns the result. */
  readonly depth: number;
  readonly operator: string;
  /** The table that it reads, if it is known. */
  readonly table: string | null;
  readonly details: string | null;
  readonly estimatedRows: number | null;
}

/** An operator as the engine describes it. */
interface EngineNode {
  readonly name: string;
  readonly children: readonly EngineNode[];
  readonly extra_info: Readonly<Record<string, string | readonly string[]>>;
}

/** What is shown of an operator. Anything else, such as the name of a file, stays inside. */
const SHOWN = [
  'Join Type',
  'Conditions',
  'Expression',
  'Filters',
  'Groups',
  'Aggregates',
  'Projections',
  'Order By',
  'Top',
];
const MAX_DETAILS = 1000;

/** The most operators that a plan shows, so that it always fits a result without a file. */
export const MAX_NODES = 1000;

interface Shown {
  /** The name of the table that the engine knows by a name, or that it reads from files. */
  readonly tableOf: (name: string | null) => string | null;
  readonly withEstimates: boolean;
}

/** The operators of a plan, each before those that it reads from. */
export function planNodes(json: string, shown: Shown): readonly PlanNode[] {
  const nodes: PlanNode[] = [];
  const add = ({ name, children, extra_info: info }: EngineNode, depth: number): void => {
    if (nodes.length === MAX_NODES) return;
    nodes.push({
      depth,
      operator: name.trim(),
      table: tableOf(name, info, shown),
      details: detailsOf(info),
      estimatedRows: shown.withEstimates ? estimateOf(info) : null,
    });
    for (const child of children) add(child, depth + 1);
  };
  for (const node of JSON.parse(json) as readonly EngineNode[]) add(node, 0);
  return nodes;
}

function tableOf(operator: string, { Table }: EngineNode['extra_info'], { tableOf: known }: Shown): string | null {
  if (typeof Table === 'string') return known(Table);
  return operator.includes('PARQUET') ? known(null) : null;
}

function detailsOf(info: EngineNode['extra_info']): string | null {
  const lines = SHOWN.flatMap((key) => {
    const value = info[key];
    const text = typeof value === 'string' ? value : (value?.join(', ') ?? '');
    return text === '' ? [] : [`${key}: ${text}`];
  });
  return lines.length === 0 ? null : lines.join('\n').slice(0, MAX_DETAILS);
}

function estimateOf({ 'Estimated Cardinality': estimate }: EngineNode['extra_info']): number | null {
  const rows = Number(estimate);
  return Number.isSafeInteger(rows) ? rows : null;
}
