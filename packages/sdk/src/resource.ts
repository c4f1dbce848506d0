import type { CallOptions, Requester } from './request.ts';

/** Options of a list with pages and no filters. */
export type Paging = CallOptions & { limit?: number | undefined; cursor?: string | undefined };

/** A resource of the client. Its methods call routes. */
export class Resource {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  // Not a field, because a printed client shows its fields.
  protected get call(): Requester {
    return this.#call;
  }
}
