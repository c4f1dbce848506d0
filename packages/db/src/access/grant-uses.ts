import type { Decision } from '@svc/core/access';
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

  /** Records all grants that allow a decision, or none if it is denied. */
  note({ via }: Pick<Decision, 'via'>, at: Date): void {
    const day = new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
    for (const { grant_id: id } of via) this.uses.note(id, at, () => ({ id, at: day }));
  }

  settled(): Promise<void> {
    return this.uses.settled();
  }
}

/** Returns a function that stores uses, several at once, except of grants that another process is writing to. */
function openGrantUses(client: Transaction): (use: GrantUse) => Promise<void> {
  return batched(
    async (uses: readonly GrantUse[]) => {
      await client.$executeRaw`
        WITH used AS (SELECT * FROM unnest(
          ${uses.map(({ id }) => id)}::uuid[], ${uses.map(({ at }) => at.toISOString())}::timestamptz[]) AS u(id, at)),
        locked AS MATERIALIZED (SELECT g.id FROM grants g JOIN used USING (id) FOR NO KEY UPDATE OF g SKIP LOCKED)
        UPDATE grants g SET last_used_at = u.at FROM used u JOIN locked USING (id)
        WHERE g.id = u.id AND (g.last_used_at IS NULL OR g.last_used_at < u.at)`;
      return uses.map(() => undefined);
    },
    { maxConcurrent: 1, maxSize: 500 },
  );
}
