import {
  BlobServiceClient,
  newPipeline,
  type RequestPolicyFactory,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import type { AzureConnection } from './azure-options.ts';
import { type BucketOptions, IDLE_TIMEOUT_MS, MAX_ATTEMPTS } from './bucket-client.ts';
import { BucketError, NoCredentialsError } from './bucket-error.ts';
import { unavailable } from './storage-errors.ts';

/** Pauses before the second attempt of a request, and at most. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [200, 10_000];
/** Uploads may take longer than other requests: at this rate, in bytes per millisecond. */
const MIN_RATE = 50;

/** The service of one storage account. */
export async function openAzureClient(
  account: string,
  { idleTimeoutMs = IDLE_TIMEOUT_MS, maxAttempts = MAX_ATTEMPTS }: BucketOptions,
  { endpoint, accountKey }: AzureConnection,
): Promise<BlobServiceClient> {
  const url = endpoint === null ? `https://${account}.blob.core.windows.net` : `${endpoint}/${account}`;
  const retryOptions = { maxTries: maxAttempts, retryDelayInMs: FIRST_PAUSE_MS, maxRetryDelayInMs: MAX_PAUSE_MS };
  const credential =
    accountKey === null ? await machineIdentity() : new StorageSharedKeyCredential(account, accountKey);
  const pipeline = newPipeline(credential, { retryOptions });
  pipeline.factories.push(timeoutAfter(idleTimeoutMs));
  return new BlobServiceClient(url, pipeline);
}

async function machineIdentity() {
  // Loaded only if needed, because it is large.
  const { DefaultAzureCredential } = await import('@azure/identity');
  return new DefaultAzureCredential();
}

/** Aborts requests without a response: the client itself would wait. */
function timeoutAfter(idleMs: number): RequestPolicyFactory {
  return {
    create: (next) => ({
      sendRequest(request) {
        request.timeout = idleMs + Number(request.headers.get('content-length') ?? 0) / MIN_RATE;
        return next.sendRequest(request);
      },
    }),
  };
}

/** What Azure's clients throw. */
interface AzureError {
  readonly name?: string;
  readonly code?: string;
  readonly statusCode?: number;
  readonly message?: string;
  readonly details?: { readonly errorCode?: string };
}

const NO_CREDENTIALS = new Set([
  'AggregateAuthenticationError',
  'AuthenticationRequiredError',
  'CredentialUnavailableError',
]);

/** Without a response, or with one that broke off. */
const isCutOff = ({ name, code }: AzureError): boolean => name === 'AbortError' || code === 'PARSE_ERROR';

/**
 * Sends a request, again if it got no whole response: the client retries all others.
 * @throws BucketError, NoCredentialsError, or `unavailable` if the container doesn't exist
 */
export async function called<T>(request: () => Promise<T>, attempts = 1): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (!isCutOff(error as AzureError) || attempt >= attempts) throw bucketErrorOf(error);
    }
  }
}

function bucketErrorOf(error: unknown): unknown {
  const { name, code, statusCode: status, message = '', details } = error as AzureError;
  if (NO_CREDENTIALS.has(name ?? '')) return new NoCredentialsError(message, { cause: error });
  if (name !== 'RestError' && name !== 'AbortError' && name !== 'AuthenticationError') return error;
  const reason = code ?? details?.errorCode;
  if (reason === 'ContainerNotFound') return unavailable("the container doesn't exist", { cause: error });
  return new BucketError({ status, name: reason, message: message.split('\n', 1)[0]! }, error);
}
