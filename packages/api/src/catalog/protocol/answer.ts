import { stringifyLossless } from '@svc/lake/tables';

/** What an operation answers: 200 with a body, 204, or 304. */
export interface CatalogAnswer {
  status: 200 | 204 | 304;
  /** JSON text. */
  text?: Buffer;
  headers?: Record<string, string>;
  /** Id of the table or view told of: a replay of the request shows it as it is then; the text is not kept. */
  reload?: string;
}

export const NO_CONTENT: CatalogAnswer = { status: 204 };

/** 200 with this body; 64 bit integers stay what they are. */
export const ok = (body: unknown): CatalogAnswer => ({ status: 200, text: Buffer.from(stringifyLossless(body)) });
