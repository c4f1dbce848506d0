import type { S3Client } from '@aws-sdk/client-s3';
import { bucketError } from './bucket-error.ts';
import type { S3Target, StsOptions } from './s3-options.ts';
import { connectionProperties } from './s3-options.ts';
import { sessionPolicy } from './session-policy.ts';
import { unavailable } from './storage-errors.ts';
import type { CredentialVendor } from './vended-credentials.ts';

/** The caller waits for the credentials, so a token service that doesn't respond is reported quickly. */
const TIMEOUTS = { connectionTimeout: 5000, socketTimeout: 10_000 };
const MAX_ATTEMPTS = 2;

/**
 * Issues temporary credentials for single tables: the role's, restricted by a session policy. Null for a location that a
 * policy can't express, or if there is no role.
 */
export function credentialVendor(client: S3Client, target: S3Target, sts: StsOptions | null): CredentialVendor {
  if (sts === null) return async () => null;
  const assumeRole = lazily(async () => {
    // Loaded only if needed, because it is large.
    const { AssumeRoleCommand, STSClient } = await import('@aws-sdk/client-sts');
    const endpoint = sts.endpoint ?? target.endpoint;
    const service = new STSClient({
      region: target.region,
      credentials: client.config.credentials,
      maxAttempts: MAX_ATTEMPTS,
      requestHandler: TIMEOUTS,
      ...(endpoint === null ? {} : { endpoint }),
    });
    return (input: ConstructorParameters<typeof AssumeRoleCommand>[0]) => service.send(new AssumeRoleCommand(input));
  });
  return async ({ location, reads, access, sessionName }) => {
    const Policy = sessionPolicy(target, { location, reads, access, role: sts.role });
    if (Policy === null) return null;
    const assume = await assumeRole();
    const { Credentials } = await assume({
      RoleArn: sts.role,
      RoleSessionName: sessionName,
      DurationSeconds: sts.minutes * 60,
      Policy,
    }).catch((error: unknown) => {
      throw unavailable(`its token service issued no credentials: ${bucketError(error) ?? String(error)}`, {
        cause: error,
      });
    });
    const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = Credentials ?? {};
    if (!AccessKeyId || !SecretAccessKey || !SessionToken || !Expiration)
      throw unavailable('its token service returned incomplete credentials');
    return {
      accessKeyId: AccessKeyId,
      expiresAt: Expiration,
      access,
      properties: {
        ...connectionProperties(target),
        's3.access-key-id': AccessKeyId,
        's3.secret-access-key': SecretAccessKey,
        's3.session-token': SessionToken,
        's3.session-token-expires-at-ms': String(Expiration.getTime()),
      },
      refreshProperty: 'client.refresh-credentials-endpoint',
    };
  };
}

/** Calls the function once, at the first use. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
