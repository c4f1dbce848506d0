/** Replacement for a token in every printed form. */
export const HIDDEN = '[token hidden]';

/** Shorter texts aren't secrets and occur inside other words: replacing them would garble every message. */
const SHORTEST = 8;

const TOKEN = /svc_(?:pat|sat|task|ses)_[0-9A-Za-z]{8,}/g;

/** Returns a function that removes the client's token, and anything that looks like one, from a text. */
export function redactor(token: string | undefined): (text: string) => string {
  return (text) => {
    const known = token && token.length >= SHORTEST ? text.replaceAll(token, HIDDEN) : text;
    return known.replace(TOKEN, HIDDEN);
  };
}
