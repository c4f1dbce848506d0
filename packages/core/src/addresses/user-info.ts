/**
 * The decoded user name and password of a URL. A "%" that starts no valid escape stands for itself, as in curl: URLs
 * accept it, and passwords contain it.
 */
export function userInfoOf({ username, password }: URL): { username: string; password: string } {
  return { username: decode(username), password: decode(password) };
}

function decode(text: string): string {
  return text.replace(/(?:%[0-9A-F]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}
