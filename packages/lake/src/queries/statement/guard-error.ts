/** A node of the serialised syntax tree. */
export type Node = { [field: string]: unknown };

export type GuardFailure = {
  readonly ok: false;
  readonly code: 'parse-error' | 'not-a-select' | 'function-not-allowed' | 'not-supported' | 'wrong-parameters';
  readonly message: string;
  /** Offset in the query's text, if known. */
  readonly position?: number;
};

/** Carries a rejection out of the walk; `guard` turns it into a return value. */
export class GuardError extends Error {
  readonly code: GuardFailure['code'];
  readonly position: number | undefined;

  constructor(code: GuardFailure['code'], message: string, node?: Node) {
    super(message);
    this.code = code;
    const at = node && Number(String(node['query_location'] ?? Number.NaN));
    this.position = at !== undefined && Number.isSafeInteger(at) ? at : undefined;
  }
}
