/** The candidate that a mistyped name most likely means, ignoring letter case; null if none is close. */
export function nearestName(name: string, candidates: Iterable<string>): string | null {
  const target = name.toLowerCase();
  let nearest: { candidate: string; edits: number } | null = null;
  for (const candidate of candidates) {
    const edits = distance(target, candidate.toLowerCase());
    if (edits <= Math.max(2, target.length / 4) && edits < (nearest?.edits ?? Number.POSITIVE_INFINITY)) {
      nearest = { candidate, edits: edits };
    }
  }
  return nearest?.candidate ?? null;
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
