/** A line of a comparison: of both texts, of the new one only, or of the old one only. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  /** Its number in each text, from 1; null if the text doesn't have it. */
  readonly before: number | null;
  readonly after: number | null;
}

/** Maximum differing lines that are searched for the shortest difference; the work grows with their square. */
const MAX_EDITS = 1000;

const linesOf = (text: string | null): string[] => {
  if (text === null || text === '') return [];
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

/** Compares two texts line by line, with the shortest difference. Null is a text that doesn't exist. */
export function diffLines(before: string | null, after: string | null): DiffLine[] {
  const [old, current] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < current.length && old[start] === current[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, current.length) - start && old.at(-1 - end) === current.at(-1 - end)) end++;
  const middle = [old.slice(start, old.length - end), current.slice(start, current.length - end)] as const;
  const kinds = [
    ...Array<DiffLine['kind']>(start).fill('same'),
    ...(shortest(...middle) ?? replaced(...middle)),
    ...Array<DiffLine['kind']>(end).fill('same'),
  ];
  return numbered(kinds, old, current);
}

/** All lines of the one text, then all of the other. */
const replaced = (old: readonly string[], current: readonly string[]): DiffLine['kind'][] => [
  ...old.map(() => 'removed' as const),
  ...current.map(() => 'added' as const),
];

/** The shortest difference by the algorithm of Myers; null if the texts differ in too many lines. */
function shortest(old: readonly string[], current: readonly string[]): DiffLine['kind'][] | null {
  const max = Math.min(old.length + current.length, MAX_EDITS);
  // The furthest line of the old text on each diagonal, and its states before each number of edits.
  const furthest = new Map<number, number>([[1, 0]]);
  const states: Map<number, number>[] = [];
  for (let edits = 0; edits <= max; edits++) {
    states.push(new Map(furthest));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = stepsDown(furthest, diagonal, edits) ? furthest.get(diagonal + 1)! : furthest.get(diagonal - 1)! + 1;
      while (x < old.length && x - diagonal < current.length && old[x] === current[x - diagonal]) x++;
      furthest.set(diagonal, x);
      if (x >= old.length && x - diagonal >= current.length) return walkBack(states, old.length, current.length);
    }
  }
  return null;
}

/** Whether the furthest path onto a diagonal adds a line, rather than removing one. */
const stepsDown = (furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean =>
  diagonal === -edits ||
  (diagonal !== edits && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1));

function walkBack(states: readonly ReadonlyMap<number, number>[], oldEnd: number, newEnd: number): DiffLine['kind'][] {
  const kinds: DiffLine['kind'][] = [];
  let [x, y] = [oldEnd, newEnd];
  for (let edits = states.length - 1; edits > 0; edits--) {
    const furthest = states[edits]!;
    const down = stepsDown(furthest, x - y, edits);
    const fromX = furthest.get(x - y + (down ? 1 : -1))!;
    const fromY = fromX - (x - y + (down ? 1 : -1));
    while (x > fromX + (down ? 0 : 1) && y > fromY + (down ? 1 : 0)) {
      kinds.push('same');
      [x, y] = [x - 1, y - 1];
    }
    kinds.push(down ? 'added' : 'removed');
    [x, y] = [fromX, fromY];
  }
  kinds.push(...Array<DiffLine['kind']>(x).fill('same'));
  return kinds.reverse();
}

function numbered(kinds: readonly DiffLine['kind'][], old: readonly string[], current: readonly string[]): DiffLine[] {
  let [before, after] = [0, 0];
  return kinds.map((kind) => {
    if (kind !== 'added') before++;
    if (kind !== 'removed') after++;
    return {
      kind,
      text: kind === 'removed' ? old[before - 1]! : current[after - 1]!,
      before: kind === 'added' ? null : before,
      after: kind === 'removed' ? null : after,
    };
  });
}

/** The parts of a comparison with what differs, each with some of the lines around it. */
export function hunksOf(lines: readonly DiffLine[], context = 3): DiffLine[][] {
  const hunks: DiffLine[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const [at, { kind }] of lines.entries()) {
    if (kind === 'same') continue;
    const from = Math.max(0, at - context);
    if (from > last) hunks.push([]);
    hunks.at(-1)!.push(...lines.slice(Math.max(from, last), at + context + 1));
    last = Math.min(lines.length, at + context + 1);
  }
  return hunks;
}
