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
      const call = request(`${url}${path}`, { agent, method, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          if (response.statusCode! < 300) resolve(text);
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 200)}`));
        });
      });
      call.on('error', reject).end(bytes);
    });
  };
  return { send, close: () => agent.destroy() };
}
