/** Random numbers below a bound, from a seed. */
export type Random = (below: number) => number;

/** A linear congruential generator with the constants of Numerical Recipes: the same statements on every machine. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * Names that fold, look or sort alike, and name tables, views of the engine and files at once: in DuckDB `k` and `K` are
 * one name, and the Kelvin sign is another.
 */
export const plainNames = [
  'a',
  'A',
  'k',
  'K',
  '\u212A',
  's',
  'S',
  '\u017F',
  'i',
  'I',
  '\u0130',
  '\u0131',
  '\uFF41',
  'a ',
];

/** One SELECT over tables with a column `x`, in which CTEs shadow tables, files and one another. */
export class StatementWriter {
  private readonly random: Random;
  private readonly names: readonly string[];
  private aliases = 0;

  /** @param names of tables, files and CTEs alike */
  constructor(random: Random, names: readonly string[]) {
    this.random = random;
    this.names = names;
  }

  statement(): string {
    return this.query(this.random(4) === 0 ? 2 : 1);
  }

  private query(depth: number): string {
    return `${this.random(3) > 0 && depth > 0 ? this.withClause(depth - 1) : ''}${this.body(depth)}`;
  }

  private withClause(depth: number): string {
    const recursive = this.random(2) === 0;
    const names = [...new Set(Array.from({ length: 1 + this.random(3) }, () => this.name()))];
    const distinct = names.filter(
      (name, at) => !names.slice(0, at).some((n) => n.toLowerCase() === name.toLowerCase()),
    );
    const ctes = distinct.map((name) => {
      const how = this.pick(['', '', ' MATERIALIZED', ' NOT MATERIALIZED']);
      const body = !recursive
        ? this.query(depth)
        : this.random(2) === 0
          ? this.recursiveBody(name, depth)
          : this.plainBody(depth);
      return `${quoted(name)}${this.pick(['', '(x)'])} AS${how} (${body})`;
    });
    return `WITH ${recursive ? 'RECURSIVE ' : ''}${ctes.join(', ')} `;
  }

  /** Never a UNION by itself, which could refer to the CTE and so never end. */
  private plainBody(depth: number): string {
    const alias = this.alias();
    return `SELECT x FROM (${this.query(depth)}) ${alias}`;
  }

  /** Ends, because every step makes the text longer. */
  private recursiveBody(name: string, depth: number): string {
    const p = this.alias();
    const more = this.random(2) === 0 ? '' : ` AND ${this.condition(p, depth)}`;
    const step = `SELECT left(${p}.x, 5) || '+' AS x FROM ${quoted(name)} ${p} WHERE length(${p}.x) < 5${more}`;
    return `${this.plainBody(depth)} UNION ${step}`;
  }

  private body(depth: number): string {
    if (depth > 0 && this.random(4) === 0) {
      const op = this.pick(['UNION ALL', 'UNION', 'EXCEPT', 'INTERSECT']);
      return `(${this.query(depth - 1)}) ${op} (${this.query(depth - 1)})`;
    }
    return this.select(depth);
  }

  private select(depth: number): string {
    const first = this.relation(depth);
    const second = this.random(3) === 0 ? this.relation(depth - 1) : null;
    if (second === null) {
      const condition = this.random(3) === 0 ? ` WHERE ${this.condition(first.alias, depth)}` : '';
      const order =
        depth > 0 && this.random(6) === 0 ? ` ORDER BY (SELECT max(x) FROM (${this.query(depth - 1)}) o)` : '';
      return `SELECT ${this.value(first.alias, depth)} AS x FROM ${first.sql}${condition}${order}`;
    }
    const join = this.pick([', ', ', LATERAL ', ' CROSS JOIN ', ' LEFT JOIN ']);
    const right = join === ', LATERAL ' ? `(SELECT x FROM ${second.sql}) ${second.alias}l` : second.sql;
    const alias = join === ', LATERAL ' ? `${second.alias}l` : second.alias;
    const on = join === ' LEFT JOIN ' ? ' ON true' : '';
    return `SELECT left(${first.alias}.x || ${alias}.x, 8) AS x FROM ${first.sql}${join}${right}${on}`;
  }

  private relation(depth: number): { sql: string; alias: string } {
    const alias = this.alias();
    if (depth > 0 && this.random(3) === 0) return { sql: `(${this.query(depth - 1)}) ${alias}`, alias };
    const name = `${this.pick(['', '', '', 's.'])}${quoted(this.name())}`;
    const semi = `(SELECT v.x FROM ${name} v SEMI JOIN ${quoted(this.name())} w USING (x))`;
    return { sql: `${this.pick([name, name, name, `(FROM ${name})`, `(TABLE ${name})`, semi])} ${alias}`, alias };
  }

  private value(alias: string, depth: number): string {
    if (depth <= 0 || this.random(3) > 0) return `${alias}.x`;
    return `coalesce(left(${alias}.x || (SELECT min(x) FROM (${this.query(depth - 1)}) v), 8), '-')`;
  }

  private condition(alias: string, depth: number): string {
    const inner = depth > 0 ? this.query(depth - 1) : `SELECT x FROM ${quoted(this.name())}`;
    const test = this.pick([`${alias}.x IN (${inner})`, `${alias}.x <> ALL (${inner})`, `EXISTS (${inner})`]);
    return `(${test} OR ${alias}.x > 'm')`;
  }

  private name(): string {
    return this.names[this.random(this.names.length)]!;
  }

  private alias(): string {
    return `q${++this.aliases}`;
  }

  private pick<T>(of: readonly T[]): T {
    return of[this.random(of.length)]!;
  }
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
