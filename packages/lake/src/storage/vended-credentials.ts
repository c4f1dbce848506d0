import type { RequestedObjects } from './signable-request.ts';

export interface CredentialRequest {
  /** The folder of one table, in the store's canonical form. */
  readonly location: string;
  /** A folder around it that may be read as well, or null. */
  readonly reads: string | null;
  readonly access: readonly RequestedObjects['access'][];
  /** Whether credentials with less access are of no use. */
  readonly exact: boolean;
  /** Identifies the caller in the logs of the bucket: letters, digits and `-`. */
  readonly sessionName: string;
}

/** Temporary credentials for the files of one table. */
export interface VendedCredentials {
  /** Identifies them in the audit log and in the bucket's own log. */
  readonly accessKeyId: string;
  readonly expiresAt: Date;
  /** The access that they allow: what was requested, or less if the bucket can't express it. */
  readonly access: readonly RequestedObjects['access'][];
  /** The credentials and the connection properties of the bucket, named as in Iceberg's clients. */
  readonly properties: Readonly<Record<string, string>>;
  /** The property that names the endpoint for new credentials. */
  readonly refreshProperty: string;
}

/** Null if no credentials can be restricted to the request. */
export type CredentialVendor = (request: CredentialRequest) => Promise<VendedCredentials | null>;
