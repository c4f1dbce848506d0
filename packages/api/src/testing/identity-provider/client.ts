/** How svc is registered at the providers. */
export const CLIENT = { client_id: 'svc', client_secret: 'a secret of the client' };
