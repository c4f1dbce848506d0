import type { Duplex } from 'node:stream';
import { Problem } from '@svc/core/errors';
import { PROBLEM_TYPE, problemBody } from './problem-answer.ts';

const TOO_LARGE = 'HPE_HEADER_OVERFLOW';
const LINES: Readonly<Record<number, string>> = { 400: 'Bad Request', 431: 'Request Header Fields Too Large' };

type UnreadError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** Answers what is no request that could be read: nothing of it is known but that it came. */
export function answerUnread(newId: () => string): (error: UnreadError, socket: Duplex) => void {
  return (error, socket) => {
    // A reset or a time-out: nobody listens, or nothing was asked.
    if (!error.code?.startsWith('HPE_') || !socket.writable) return void socket.destroy();
    const problem =
      error.code === TOO_LARGE
        ? new Problem('head-too-large', 'The path and headers are larger than 16 KiB. Send less in them.')
        : new Problem(
            'malformed-request',
            'This is no HTTP request that can be read. Correct its first line and headers.',
          );
    const requestId = newId();
    const body = JSON.stringify(problemBody(problem, { instance: '/', requestId }));
    const head = [
      `HTTP/1.1 ${problem.status} ${LINES[problem.status]}`,
      `Content-Type: ${PROBLEM_TYPE}; charset=utf-8`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
    ];
    // An answer to HEAD ends with its head: what follows would be taken for the next answer.
    const headOnly = error.rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD ';
    socket.end(`${head.join('\r\n')}\r\n\r\n${headOnly ? '' : body}`);
  };
}
