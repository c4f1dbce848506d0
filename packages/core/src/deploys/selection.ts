import { type Asset, isTag } from './asset.ts';
import type { AssetGraph } from './graph.ts';

/** What to build: patterns (`*` stands for any text; `tag:` selects by tag) and whether to widen along the graph. */
export interface Selection {
  readonly select: readonly string[];
  readonly upstream: boolean;
  readonly downstream: boolean;
}

export interface SelectionResult {
  /** Keys of the chosen assets in building order. */
  readonly selected: readonly string[];
  /** Patterns that match no asset; the selection is refused only when nothing at all is selected. */
  readonly unmatched: readonly string[];
}

/** Turns a pattern into a test of assets; null when it is no pattern. Letter case does not count. */
function matcher(pattern: string): ((asset: Asset) => boolean) | null {
  const byTag = pattern.startsWith('tag:');
  const body = byTag ? pattern.slice(4) : pattern;
  const plain = body.replaceAll('*', 'x');
  if (byTag ? !isTag(plain) : !/^[A-Za-z0-9_.]{1,1024}$/.test(plain)) return null;
  const parts = body.toLowerCase().split('*');
  return byTag
    ? ({ tags }) => tags.some((tag) => fits(tag.toLowerCase(), parts))
    : ({ name }) => fits(name.toLowerCase(), parts);
}

/**
 * Whether a text is these parts in their order with anything between them. Each is taken as early as it comes, which
 * needs no second try: a regular expression would take a time that grows with every star.
 */
function fits(text: string, parts: readonly string[]): boolean {
  const [first = '', ...middle] = parts;
  const last = middle.pop();
  if (last === undefined) return text === first;
  const end = text.length - last.length;
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of middle) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** Whether a text can be a selection pattern at all. */
export function isPattern(text: string): boolean {
  return matcher(text) !== null;
}

/** The assets a selection chooses; `upstream` adds all they are built from, `downstream` all built from them. */
export function selectAssets(graph: AssetGraph, selection: Selection): SelectionResult {
  const chosen = new Set<string>();
  const unmatched: string[] = [];
  for (const pattern of selection.select) {
    const matches = matcher(pattern);
    const keys = matches === null ? [] : graph.order.filter((key) => matches(graph.assets.get(key)!));
    if (keys.length === 0) unmatched.push(pattern);
    for (const key of keys) chosen.add(key);
  }
  const up = selection.upstream ? closure(chosen, graph.upstream) : [];
  const down = selection.downstream ? closure(chosen, graph.downstream) : [];
  const all = new Set([...chosen, ...up, ...down]);
  return { selected: graph.order.filter((key) => all.has(key)), unmatched };
}

function closure(from: ReadonlySet<string>, edges: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set(from);
  const open = [...from];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const next of edges.get(key) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}

/** The sentence that refuses a selection, or null when it selects something (specification 2.8, 7). */
export function selectionProblem(graph: AssetGraph, selection: Selection): { message: string; remedy: string } | null {
  const result = selectAssets(graph, selection);
  if (result.selected.length > 0) return null;
  const patterns = selection.select.map((pattern) => JSON.stringify(pattern)).join(', ') || 'nothing';
  const names = [...graph.assets.values()].map((asset) => asset.name);
  const shown = names.slice(0, 10).join(', ');
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return {
    message: `the selection ${patterns} matches no asset`,
    remedy:
      names.length === 0
        ? 'the project has no assets: add assets/<namespace>/<table>.sql'
        : `use names with "*" or tag:<tag>; the project has ${shown}${more}`,
  };
}
