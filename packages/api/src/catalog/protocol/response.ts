import { stringifyLossless } from '@svc/iceberg';

/** The response of an operation: 200 with a body, 204, or 304. */
export interface CatalogResponse {
  status: 200 | 204 | 304;
  /** JSON text. */
  text?: Buffer;
  /** JSON text to store for a repeated request instead, from which the route completes the response. */
  stored?: Buffer;
  headers?: Record<string, string>;
  /** Id of the table or view in the response. A replay loads its state at that time, because the text is not stored. */
  reload?: string;
}

export const NO_CONTENT: CatalogResponse = { status: 204 };

/** 200 with this body; 64-bit integers keep their exact value. */
export const ok = (body: unknown): CatalogResponse => ({ status: 200, text: Buffer.from(stringifyLossless(body)) });
