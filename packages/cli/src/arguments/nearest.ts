/** The ids that are similar to the input, most similar first. */
export function nearest(typed: string, ids: readonly string[]): string[] {
  const similar = ids
    .map((id) => ({ id, far: distance(typed, id) }))
    .filter(({ far, id }) => far <= Math.max(2, id.length / 3));
  return similar
    .sort((a, b) => a.far - b.far)
    .map(({ id }) => id)
    .slice(0, 3);
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
