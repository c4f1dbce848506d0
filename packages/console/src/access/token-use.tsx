import type { TokenRecord } from '@svc/sdk/browser';
import { Time } from '../design/time.tsx';

/** When and from where a token was last used. */
export function TokenUse({ token }: { token: TokenRecord }) {
  const { last_used_at: at, last_used_address: address, last_used_client: client } = token;
  if (at === null) return <>never</>;
  return (
    <span title={client ?? undefined}>
      <Time at={at} />
      {address === null ? null : <span className="wide-only"> from {address}</span>}
    </span>
  );
}
