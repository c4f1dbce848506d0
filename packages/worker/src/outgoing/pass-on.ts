import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'upgrade'];

/** The headers of a request that a proxy passes on. */
export function passedHeaders(req: IncomingMessage, host: string): OutgoingHttpHeaders {
  const passed = Object.entries(req.headers).filter(([name]) => !HOP_BY_HOP.includes(name));
  return { ...Object.fromEntries(passed), host };
}

/** Sends the body of a request onward, and the response back. */
export function passOn(
  onward: ClientRequest,
  req: IncomingMessage,
  res: ServerResponse,
  onAnswer: (answer: IncomingMessage) => void = () => {},
): void {
  onward.on('response', (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    onAnswer(answer);
    answer.pipe(res);
    answer.on('error', () => res.destroy());
  });
  const fail = ({ message }: Error) => {
    if (res.headersSent) return void res.destroy();
    res.writeHead(502).end(`${req.headers.host ?? 'the server'} couldn't be reached: ${message}\n`);
  };
  // Without a listener, Node closes the connection and emits nothing else.
  onward.on('upgrade', (_answer, socket) => {
    socket.destroy();
    fail(new Error('it switched protocols'));
  });
  onward.on('error', fail);
  res.on('close', () => onward.destroy());
  req.pipe(onward);
}
