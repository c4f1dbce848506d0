import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';

type Json = Record<string, unknown>;

/** Whether this browser has WebAuthn at this address. */
export const canUseKeys = browserSupportsWebAuthn;

export const NO_KEYS =
  "This browser can't use security keys and passkeys here. They need a current browser, and an address with https.";

/** By the names of the exceptions, whose own texts are for developers. */
const TEXTS: Record<string, string> = {
  NotAllowedError: "No key was used: the request was cancelled, took too long, or the key isn't known here.",
  AbortError: 'The request was cancelled.',
  InvalidStateError: 'This key is one of your second factors already.',
  SecurityError:
    "Keys don't work at the address of this page. Open the console at the address that the key was added at.",
};

/** Lets the browser create a key. @throws Error with a text for people */
export const createKey = (options: Json): Promise<Json> =>
  use(() => startRegistration({ optionsJSON: options as never }));

/** Lets the browser sign with a key. @throws Error with a text for people */
export const signWithKey = (options: Json): Promise<Json> =>
  use(() => startAuthentication({ optionsJSON: options as never }));

/** Ends the browser's request for a key. */
export const stopUsingKeys = (): void => WebAuthnAbortService.cancelCeremony();

async function use(start: () => Promise<unknown>): Promise<Json> {
  if (!canUseKeys()) throw new Error(NO_KEYS);
  try {
    return (await start()) as Json;
  } catch (error) {
    const { name, message } = error as Error;
    throw new Error(TEXTS[name] ?? message, { cause: error });
  }
}
