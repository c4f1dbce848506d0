/** The embedded server can't run here. The message is for the operator and names cause and remedy. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';
}

export const USE_EXTERNAL = 'or set SVC_DATABASE_URL to your own PostgreSQL server';
