/** Whether the operating system failed with one of these codes, such as `ENOENT`. */
export const isErrno = (error: unknown, ...codes: readonly string[]): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
