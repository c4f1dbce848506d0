import type { QueryParam, QueryParams } from '@svc/core/queries';
import { parametersIn } from '@svc/core/sql-tokens';
import { QueryRejectedError } from '../query-errors.ts';
import { ParameterValues } from '../statement/bind-parameters.ts';
import { GuardError } from '../statement/guard-error.ts';

/**
 * The values of the parameters of a statement that changes rows, for the SELECTs that it runs as: each of them has only some of
 * the parameters.
 */
export class ChangeParameters {
  private readonly params: QueryParams | null;

  /** @throws QueryRejectedError unless every parameter has a value and every value has a parameter */
  constructor(statement: string, params: QueryParams | null) {
    this.params = params;
    if (params === null) return;
    try {
      const values = new ParameterValues(params);
      for (const name of parametersIn(statement)) values.of(name);
      values.requireAllUsed();
    } catch (error) {
      if (!(error instanceof GuardError)) throw error;
      throw new QueryRejectedError(error.code, error.message);
    }
  }

  /** The values of the parameters in this text. */
  in(sql: string): QueryParams | null {
    if (this.params === null) return null;
    const names = parametersIn(sql);
    const all: [string, QueryParam][] = Array.isArray(this.params)
      ? this.params.map((value, i) => [String(i + 1), value])
      : Object.entries(this.params);
    return Object.fromEntries(all.filter(([name]) => names.has(name.toLowerCase())));
  }
}
