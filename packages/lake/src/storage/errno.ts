/** Whether the operating system refused with one of these, such as `ENOENT`. */
export const isErrno = (error: unknown, ...codes: readonly string[]): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
