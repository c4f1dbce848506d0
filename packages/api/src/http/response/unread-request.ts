import type { Duplex } from 'node:stream';
import { ApiError } from '@svc/core/errors';
import { PROBLEM_TYPE, problemBody } from './problem-response.ts';

const TOO_LARGE = 'HPE_HEADER_OVERFLOW';
const LINES: Readonly<Record<number, string>> = { 400: 'Bad Request', 431: 'Request Header Fields Too Large' };

type ParseError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** Responds to a request that can't be parsed, of which nothing but its arrival is known. */
export function respondToParseError(newId: () => string): (error: ParseError, socket: Duplex) => void {
  return (error, socket) => {
    // After a reset or a timeout there is no client to respond to, or no request.
    if (!error.code?.startsWith('HPE_') || !socket.writable) return void socket.destroy();
    const problem =
      error.code === TOO_LARGE
        ? new ApiError('head-too-large', 'The path and headers are larger than 16 KiB. Shorten them.')
        : new ApiError('malformed-request', 'This is not a valid HTTP request. Correct its first line and headers.');
    const requestId = newId();
    const body = JSON.stringify(problemBody(problem, { instance: '/', requestId }));
    const head = [
      `HTTP/1.1 ${problem.status} ${LINES[problem.status]}`,
      `Content-Type: ${PROBLEM_TYPE}; charset=utf-8`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
    ];
    // A response to HEAD has no body: the client would read it as the next response.
    const isHead = error.rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD ';
    socket.end(`${head.join('\r\n')}\r\n\r\n${isHead ? '' : body}`);
  };
}
