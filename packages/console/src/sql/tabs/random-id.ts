import { idSource } from '@svc/core/ids';

/** A new UUID. `crypto.randomUUID` doesn't exist on plain HTTP. */
export const randomId = idSource(Date.now, (bytes) => crypto.getRandomValues(new Uint8Array(bytes)));
