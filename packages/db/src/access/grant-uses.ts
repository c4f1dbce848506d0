import { batched, type Transaction } from '../connection/index.ts';
import { Uses } from './uses.ts';

const DAY_MS = 86_400_000;

interface GrantUse {
  id: string;
  at: Date;
}

/** Records when grants last allowed something, to the day (ACCESS-48). */
export class GrantUses {
  private readonly uses: Uses<GrantUse>;

  constructor(client: Transaction, onError: (error: unknown) => void) {
    this.uses = new Uses(openGrantUses(client), DAY_MS, onError);
  }

  note(grants: readonly { grant_id: string }[], at: Date): void {
    const day = new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
    for (const { grant_id: id } of grants) this.uses.note(id, at, () => ({ id, at: day }));
  }

  settled(): Promise<void> {
    return this.uses.settled();
  }
}

/** Returns a function that stores uses, several at once. It skips grants that something else is writing to. */
function openGrantUses(client: Transaction): (use: GrantUse) => Promise<boolean> {
  return batched(
    async (uses: readonly GrantUse[]) => {
      const stored = await client.$queryRaw<{ id: string }[]>`
        WITH used AS (SELECT * FROM unnest(
          ${uses.map(({ id }) => id)}::uuid[], ${uses.map(({ at }) => at.toISOString())}::timestamptz[]) AS u(id, at)),
        locked AS MATERIALIZED (SELECT g.id FROM grants g JOIN used USING (id) FOR NO KEY UPDATE OF g SKIP LOCKED),
        updated AS (
          UPDATE grants g SET last_used_at = u.at FROM used u JOIN locked USING (id)
          WHERE g.id = u.id AND (g.last_used_at IS NULL OR g.last_used_at < u.at))
        SELECT id FROM locked`;
      const ids = new Set(stored.map(({ id }) => id));
      return uses.map(({ id }) => ids.has(id));
    },
    { maxConcurrent: 1, maxSize: 500 },
  );
}
