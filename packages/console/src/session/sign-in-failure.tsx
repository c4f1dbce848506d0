import { SIGN_IN_FAILURES, type SignInFailure } from '@svc/core/identity-providers';
import { useSearch } from '@tanstack/react-router';

const isFailure = (text: string | undefined): text is SignInFailure =>
  text !== undefined && Object.hasOwn(SIGN_IN_FAILURES, text);

/** Why the sign-in with an identity provider failed. The address has a code, and a request id that may be anything. */
export function SignInFailureNotice() {
  const { failure, request } = useSearch({ from: '/sign-in' });
  if (!isFailure(failure)) return null;
  const { title, cause, remedy } = SIGN_IN_FAILURES[failure];
  return (
    <div className="notice bad" role="alert">
      <p>
        <strong>{title}</strong>
      </p>
      <p>{cause}</p>
      <p>{remedy}</p>
      {request !== undefined && /^[\x21-\x7e]{1,128}$/.test(request) ? (
        <p className="soft mono name">Request {request}</p>
      ) : null}
    </div>
  );
}
