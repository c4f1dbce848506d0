/** The bounds of a `requires-python`, normalized so that equal ranges have equal texts; null if it can't be parsed. */
export function pythonRange(requiresPython: string): string | null {
  const others = new Set<string>();
  let lower: Bound | null = null;
  let upper: Bound | null = null;
  for (const clause of requiresPython.split(',').map((text) => text.replaceAll(/\s/g, ''))) {
    const found = /^(>=|<=|>|<|~=|===|==|!=)(\d{1,9}(?:\.\d{1,9}){0,3})(\.\*)?$/.exec(clause);
    if (found === null) return null;
    const [, operator, text, any = ''] = found;
    const version = release(text!);
    if (operator === '>=' || operator === '>') lower = tighterBound(lower, { version, operator }, 1);
    else if (operator === '<=' || operator === '<') upper = tighterBound(upper, { version, operator }, -1);
    else if (operator === '~=') {
      const parts = text!.split('.').map(Number);
      if (parts.length < 2) return null;
      lower = tighterBound(lower, { version, operator: '>=' }, 1);
      const above = [...parts.slice(0, -2), parts.at(-2)! + 1];
      upper = tighterBound(upper, { version: release(above.join('.')), operator: '<' }, -1);
    } else others.add(`${operator === '!=' ? '!=' : '=='}${version.join('.')}${any}`);
  }
  const bounds = [lower, upper].map((bound) => (bound === null ? '' : `${bound.operator}${bound.version.join('.')}`));
  return [...bounds, ...[...others].sort()].join(' ');
}

interface Bound {
  readonly version: readonly number[];
  readonly operator: string;
}

/** Version numbers without trailing zeros, which don't change the version. */
function release(text: string): number[] {
  const parts = text.split('.').map(Number);
  while (parts.length > 1 && parts.at(-1) === 0) parts.pop();
  return parts;
}

/**
 * The stricter bound: the greater one for `direction` 1, otherwise the smaller; at the same version, the exclusive one.
 */
function tighterBound(a: Bound | null, b: Bound, direction: 1 | -1): Bound {
  if (a === null) return b;
  for (let i = 0; i < Math.max(a.version.length, b.version.length); i++) {
    const by = ((b.version[i] ?? 0) - (a.version[i] ?? 0)) * direction;
    if (by !== 0) return by > 0 ? b : a;
  }
  return b.operator.length === 1 ? b : a;
}
