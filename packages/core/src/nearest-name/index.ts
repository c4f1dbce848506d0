/** Characters of a name that is compared, which takes time in proportion to its length. */
const MAX_NAME = 300;

/** The candidate that a mistyped name most likely means, or null if none is close. */
export function nearestName(name: string, candidates: Iterable<string>): string | null {
  return nearestNames(name, candidates)[0] ?? null;
}

/** Up to three candidates that a mistyped name may mean, closest first, ignoring letter case. */
export function nearestNames(name: string, candidates: Iterable<string>): string[] {
  if (name.length > MAX_NAME) return [];
  const target = name.toLowerCase();
  return Array.from(candidates, (candidate) => ({ candidate, edits: distance(target, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.max(2, candidate.length / 3))
    .sort((a, b) => a.edits - b.edits)
    .map(({ candidate }) => candidate)
    .slice(0, 3);
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length]!;
}
