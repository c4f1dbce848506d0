/** Cells so large that even the first rows of a page can't be decompressed. */
export class ResultTooLargeError extends Error {
  constructor(options: { cause: unknown }) {
    super('the rows of the result are too large to read in pages', options);
    this.name = 'ResultTooLargeError';
  }
}
