import { cast } from '../constant-nodes.ts';
import type { Node } from '../guard-error.ts';
import { type Rewriting, textOf, unsupported } from './rewriter.ts';

/** A step that is a text, as in `generate_series(a, b, '1 day')`, is an interval. */
export function withInterval(args: Node[]): void {
  if (/[a-z:]/i.test(textOf(args[2]) ?? '')) args[2] = cast(args[2]!, 'INTERVAL');
}

const INTERVAL_UNITS = ['years', 'months', 'weeks', 'days', 'hours', 'mins', 'secs'];

/** `make_interval(days => 3)`: each argument by its position or name. */
export function madeInterval(rewriting: Rewriting, node: Node, args: readonly Node[]): Node {
  const parts = args.map((arg, i) => {
    const unit = String(arg['alias'] || INTERVAL_UNITS[i]).toLowerCase();
    if (!INTERVAL_UNITS.includes(unit)) throw unsupported(`make_interval has no argument ${unit}.`, arg);
    return rewriting.call(`interval_${unit}`, [{ ...arg, alias: '' }], node);
  });
  return parts.reduce(
    (before, after) => rewriting.call('plus', [before, after], node),
    rewriting.call('interval_none', [], node),
  );
}
