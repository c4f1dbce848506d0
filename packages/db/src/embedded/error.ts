/** The embedded server cannot run here; the message is a sentence for the operator that names cause and remedy. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';
}

export const USE_EXTERNAL = 'or set SVC_DATABASE_URL to a PostgreSQL server of your own';
