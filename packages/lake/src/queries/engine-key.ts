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
  return digest(parts);
}

/**
 * Identifies everything that a result depends on: the statement and what its engine is set up with. Null if nothing does,
 * because the result may be another one every time.
 *
 * The owner is a part of it: native code that takes over a process can't plant a result for anyone else.
 */
export function resultKey(
  plan: QueryPlan,
  { owner, limits }: { readonly owner?: string; readonly limits?: Partial<SandboxLimits> },
): string | null {
  const engine = owner === undefined || !plan.isDeterministic ? null : engineKey(plan, limits);
  return engine === null ? null : digest([owner, engine, plan.sql.text]);
}

const digest = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64');
