/** Thrown if a query must wait in the queue, because no slot is free for it. */
export class SlotsTakenError extends Error {
  /** In which lane it waits. */
  readonly isLong: boolean;

  constructor(isLong: boolean) {
    super('No slot is free.');
    this.isLong = isLong;
  }
}
