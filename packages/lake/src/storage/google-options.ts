import type { Settings } from '@svc/core/settings';

/** The key of a service account. */
export interface GoogleKey {
  readonly client_email: string;
  readonly private_key: string;
}

export interface GoogleConnection {
  /** Null: Google's own. */
  readonly endpoint: string | null;
  /** Null: the credentials that Google's client finds (file, machine); with another endpoint, none. */
  readonly key: GoogleKey | null;
  /** Whether engines receive access tokens that are restricted to one table. */
  readonly tokens: boolean;
}

export const GOOGLE: GoogleConnection = { endpoint: null, key: null, tokens: false };

/** The connection to Google Cloud Storage from the operator's settings. */
export function googleConnection({ googleEndpoint, googleKey, googleTokens }: Settings): GoogleConnection {
  return { endpoint: googleEndpoint ?? null, key: googleKey ?? null, tokens: googleTokens };
}
