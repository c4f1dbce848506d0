import { faultOfProblem } from './judge.ts';
import { Sender } from './send.ts';

const HIDDEN = (token: string) =>
  `POST /api/v1/groups HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 19\r\n\r\n{"name":"smuggled"}`;

/** Request headers that servers and proxies have interpreted differently, each with a request hidden behind it. */
export const SMUGGLED: readonly [what: string, head: string, body: (hidden: string) => string][] = [
  ['two lengths', 'Content-Length: 5\r\nContent-Length: 6', (hidden) => `12345${hidden}`],
  ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked', (hidden) => `0\r\n\r\n${hidden}`],
  ['an unknown coding', 'Transfer-Encoding: xchunked', (hidden) => `0\r\n\r\n${hidden}`],
  ['two codings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', (hidden) => `0\r\n\r\n${hidden}`],
  ['a coding after a tab', 'Transfer-Encoding:\tchunked\r\nContent-Length: 4', (hidden) => `0\r\n\r\n${hidden}`],
  ['a space before the colon', 'Transfer-Encoding : chunked', (hidden) => `0\r\n\r\n${hidden}`],
  ['a folded header', 'X: a\r\n Transfer-Encoding: chunked', (hidden) => `0\r\n\r\n${hidden}`],
  ['a length with a sign', 'Content-Length: +5', (hidden) => `12345${hidden}`],
  ['a length in hexadecimal', 'Content-Length: 0x5', (hidden) => `12345${hidden}`],
  ['a length beyond all numbers', 'Content-Length: 99999999999999999999999', (hidden) => `12345${hidden}`],
  ['a negative length', 'Content-Length: -5', (hidden) => `12345${hidden}`],
  ['a chunk with a sign', 'Transfer-Encoding: chunked', (hidden) => `+0\r\n\r\n${hidden}`],
  ['a chunk longer than declared', 'Transfer-Encoding: chunked', (hidden) => `1\r\nabc\r\n0\r\n\r\n${hidden}`],
  ['a chunk whose line ends in LF', 'Transfer-Encoding: chunked', (hidden) => `1;\na\n0\n\n${hidden}`],
  ['a NUL in a header', 'X: a\0b', (hidden) => hidden],
  ['a bare CR in a header', 'X: a\rTransfer-Encoding: chunked', (hidden) => `0\r\n\r\n${hidden}`],
  ['a header without a name', ': x', (hidden) => hidden],
];

/** The problem with the response to such a request, or null. */
export async function smuggled(
  url: string,
  token: string,
  [, head, body]: (typeof SMUGGLED)[number],
): Promise<string | null> {
  const sender = new Sender(url);
  const first = `POST /api/v1/environments HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer nobody\r\n${head}\r\n\r\n`;
  const text = await sender.raw(first + body(HIDDEN(token)));
  const answers = text.split(/^(?=HTTP\/1\.1 \d{3} )/m).filter((part) => part.startsWith('HTTP/'));
  if (answers.length > 1) return `${answers.length} answers: ${text}`;
  if (answers.length === 0) return null;
  const status = Number(answers[0]!.slice(9, 12));
  if (status >= 500 || status < 400) return `answered ${status}`;
  return faultOfProblem(status, answers[0]!.split('\r\n\r\n').slice(1).join('\r\n\r\n'));
}
