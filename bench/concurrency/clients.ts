import { Agent, request } from 'node:http';

/** The times of the requests of several clients, in milliseconds, and how long all of them took together. */
export interface Load {
  readonly times: number[];
  readonly ms: number;
}

/**
 * Sends requests from several clients, each of which sends its next as soon as it has a response, until `ms` have passed.
 *
 * @param send called with the client's number and a number that no other call gets
 */
export async function loadOf(
  { clients, ms }: { clients: number; ms: number },
  send: (client: number, n: number) => Promise<unknown>,
): Promise<Load> {
  const times: number[] = [];
  const started = performance.now();
  let n = 0;
  const client = async (_: unknown, number: number) => {
    while (performance.now() - started < ms) {
      const sent = performance.now();
      await send(number, n++);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { times, ms: performance.now() - started };
}

export const perSecond = ({ times, ms }: Load): number => (times.length * 1000) / ms;

/** The time that a share of the requests didn't exceed. */
export function percentile({ times }: Load, share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const line = (name: string, load: Load, aim = ''): string =>
  `  ${name.padEnd(34)}${perSecond(load).toFixed(0).padStart(6)} q/s   p50 ${ms(percentile(load, 0.5))}   p99 ${ms(percentile(load, 0.99))}   ${aim}`;

const ms = (value: number): string => `${value.toFixed(0).padStart(5)} ms`;

/** POSTs a body over persistent connections and returns the response's text. @throws for a status of 300 or more */
export function poster() {
  const agent = new Agent({ keepAlive: true });
  const post = (url: string, headers: Record<string, string>, body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const call = request(
        url,
        { agent, method: 'POST', headers: { ...headers, 'Content-Length': Buffer.byteLength(body) } },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () => {
            const text = Buffer.concat(parts).toString();
            if (response.statusCode! < 300) resolve(text);
            else reject(new Error(`${response.statusCode} ${text.slice(0, 300)}`));
          });
        },
      );
      call.on('error', reject).end(body);
    });
  return { post, close: () => agent.destroy() };
}
