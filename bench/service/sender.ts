import { Agent, request } from 'node:http';
import { TOKEN } from './service.ts';

/** Sends requests over persistent connections; a body that isn't a string is sent as JSON. */
export function sender(url: string) {
  const agent = new Agent({ keepAlive: true });
  const send = (method: string, path: string, body?: unknown, type = 'application/json'): Promise<string> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const bytes = body === undefined ? undefined : Buffer.from(text);
    const headers = {
      Authorization: `Bearer ${TOKEN}`,
      ...(bytes === undefined ? {} : { 'Content-Type': type, 'Content-Length': bytes.length }),
    };
    return new Promise((resolve, reject) => {
      const call = request(`${url}${path}`, { agent, method, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString();
          if (answer.statusCode! < 300) resolve(text);
          else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 200)}`));
        });
      });
      call.on('error', reject).end(bytes);
    });
  };
  return { send, close: () => agent.destroy() };
}
