/** What stands for a token in every printed form. */
export const HIDDEN = '[token hidden]';

/** Shorter words are no secret, and stand in other words: taking them out would garble every text. */
const SHORTEST = 8;

const TOKEN = /svc_(?:pat|sat|task|ses)_[0-9A-Za-z]{8,}/g;

/** A function that takes the client's token, and whatever looks like one, out of a text. */
export function redactor(token: string | undefined): (text: string) => string {
  return (text) => {
    const known = token && token.length >= SHORTEST ? text.replaceAll(token, HIDDEN) : text;
    return known.replace(TOKEN, HIDDEN);
  };
}
