import { redactor, type TransportAnswer, type TransportRequest } from '@svc/sdk';
import { escaped } from '../output/escape.ts';
import type { Io } from '../terminal/io.ts';
import { plainTransport } from './transport.ts';

/** Sends a request and prints it on standard error: no headers and no body, because they contain credentials and data. */
export async function sendAndPrint(
  url: string,
  request: TransportRequest,
  { io, token }: { io: Pick<Io, 'stderr' | 'now'>; token: string | undefined },
): Promise<TransportAnswer> {
  const { pathname, search } = new URL(url);
  const hide = redactor(token);
  const started = io.now().getTime();
  const print = (outcome: string) => {
    const took = io.now().getTime() - started;
    io.stderr(`${escaped(hide(`debug: ${request.method} ${pathname}${search} ${outcome}, ${took} ms`))}\n`);
  };
  try {
    const answer = await plainTransport(url, request);
    const id = answer.headers.get('x-request-id');
    print(`${answer.status}${id === null ? '' : `, request ${id}`}`);
    return answer;
  } catch (error) {
    print(`failed: ${(error as Error).message}`);
    throw error;
  }
}
