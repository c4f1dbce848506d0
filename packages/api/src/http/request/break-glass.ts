import { ApiError } from '@svc/core/errors';

/** The reason in the header, or null without one. @throws ApiError if it isn't valid */
export function readBreakGlass(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const expectationFailed = new ApiError(
    'invalid-request',
    'Svc-Break-Glass must be a reason of 1 to 500 characters, percent-encoded UTF-8.',
    {
      errors: [{ parameter: 'Svc-Break-Glass', message: 'must be a reason of 1 to 500 characters, percent-encoded' }],
    },
  );
  try {
    const reason = decodeURIComponent(String(header)).trim();
    if (reason === '' || [...reason].length > 500 || reason.includes('\0')) throw expectationFailed;
    return reason;
  } catch {
    throw expectationFailed;
  }
}
