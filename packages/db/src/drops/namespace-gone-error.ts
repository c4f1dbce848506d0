import { ApiError } from '@svc/core/errors';

/** Something can't be created in or restored to a namespace that was dropped concurrently. */
export const namespaceGoneError = (): ApiError =>
  new ApiError(
    'not-found',
    'The namespace or its environment was dropped while this request ran. Create it again first.',
  );
