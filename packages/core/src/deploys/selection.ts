import { type Asset, isTag } from './asset.ts';
import { type AssetGraph, reachable } from './graph.ts';

/** What to build: patterns (`*` matches any text, `tag:` selects by tag) and whether to extend along the graph. */
export interface Selection {
  readonly select: readonly string[];
  readonly upstream: boolean;
  readonly downstream: boolean;
}

export interface SelectionResult {
  /** Keys of the selected assets in build order. */
  readonly selected: readonly string[];
  /** Patterns that match no asset. The selection is refused only if nothing at all is selected. */
  readonly unmatched: readonly string[];
}

/** Compiles a pattern to a test of assets; null if it is invalid. Letter case doesn't count. */
function matcher(pattern: string): ((asset: Asset) => boolean) | null {
  const byTag = pattern.startsWith('tag:');
  const body = byTag ? pattern.slice(4) : pattern;
  const sample = body.replaceAll('*', 'x');
  if (byTag ? !isTag(sample) : !/^[A-Za-z0-9_.]{1,1024}$/.test(sample)) return null;
  const parts = body.toLowerCase().split('*');
  return byTag
    ? ({ tags }) => tags.some((tag) => matchesParts(tag.toLowerCase(), parts))
    : ({ name }) => matchesParts(name.toLowerCase(), parts);
}

/**
 * Whether a text consists of these parts in order with anything between them. Taking the earliest match of each part
 * needs no backtracking; a regular expression would take time that grows with every star.
 */
function matchesParts(text: string, parts: readonly string[]): boolean {
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

/** Whether a text is a valid selection pattern. */
export function isPattern(text: string): boolean {
  return matcher(text) !== null;
}

/**
 * The assets that a selection chooses; `upstream` adds everything they are built from, `downstream` everything built
 * from them.
 */
export function selectAssets(graph: AssetGraph, selection: Selection): SelectionResult {
  const chosen = new Set<string>();
  const unmatched: string[] = [];
  for (const pattern of selection.select) {
    const matches = matcher(pattern);
    const keys = matches === null ? [] : graph.order.filter((key) => matches(graph.assets.get(key)!));
    if (keys.length === 0) unmatched.push(pattern);
    for (const key of keys) chosen.add(key);
  }
  const up = selection.upstream ? reachable(chosen, graph.upstream) : [];
  const down = selection.downstream ? reachable(chosen, graph.downstream) : [];
  const all = new Set([...chosen, ...up, ...down]);
  return { selected: graph.order.filter((key) => all.has(key)), unmatched };
}

/** Why a selection is refused, or null if it selects something (DEPLOY-5). */
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
