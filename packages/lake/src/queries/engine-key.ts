import { createHash } from 'node:crypto';
import type { QueryPlan } from './plan-query.ts';
import type { SandboxLimits } from './sandbox/limits.ts';
import { Sql } from './sql-text.ts';

/**
 * Identifies everything that an engine is set up with for a plan: its files, its views with the policies in them, and its
 * limits. Two plans with the same key are of the same snapshots, and the same rights and policies apply to their readers.
 *
 * Null if files may change under the same name (an external table), or if the engine decides a part of the setup.
 */
export function engineKey(plan: QueryPlan, limits: Partial<SandboxLimits> = {}): string | null {
  const parts: unknown[] = [limits, plan.isSmall, plan.paths, plan.schemas];
  for (const { relation, setup, vectors, sql } of plan.views) {
    if (relation.kind === 'external' || !Sql.is(sql)) return null;
    parts.push(
      setup.map(({ text }) => text),
      vectors,
      sql.text,
    );
  }
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
