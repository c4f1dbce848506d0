import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseApprovedHost } from '@svc/core/addresses';
import { type Bubblewrap, runIsolated } from '../isolation/index.ts';
import { ServiceRelay, type TaskNetwork } from '../outgoing/index.ts';
import { findPython } from '../programs/find-tools.ts';
import { isolationHere, limitedHere, makeCertificate } from '../testing/index.ts';
import { PythonInterpreter } from './python-interpreter.ts';

const support = fileURLToPath(new URL('../../../sdk-python/src', import.meta.url));
const isolation = (await isolationHere(join(tmpdir(), 'svc-nobody'))) as Bubblewrap;
const python = await findPython(null, null, process.env['PATH'] ?? '');
const restricted = isolation.ownNetwork && python !== null ? describe : describe.skip;

let base: string;
const seen: IncomingMessage[] = [];
const servers: Server[] = [];

/** Answers with the length and the start of what it gets. */
const echo: RequestListener = (req, res) => {
  seen.push(req);
  const parts: Buffer[] = [];
  req.on('data', (part: Buffer) => parts.push(part));
  req.on('end', () => {
    const body = Buffer.concat(parts);
    if (req.url === '/large') res.end(Buffer.alloc(30_000_000, 'x'));
    else res.end(`${req.method} ${req.url} ${body.length} ${body.subarray(0, 10).toString()}`);
  });
};

async function serve(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

let port: number;
beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'svc-network-'));
  port = await serve(createServer(echo));
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
  rmSync(base, { recursive: true, force: true });
});

interface Network extends Partial<Omit<TaskNetwork, 'approved' | 'service'>> {
  /** As in `SVC_RUN__NETWORK`. */
  approved?: readonly string[];
  hosts?: readonly string[];
  service?: string;
  env?: Record<string, string>;
}

/** Runs the body of a function as a task, and returns what it printed and how it failed. */
async function task(body: string, { approved = [], hosts = [], service, env = {}, ...more }: Network = {}) {
  const dir = mkdtempSync(join(base, 'task-'));
  // Deeper than the path of a Unix socket can be.
  const workDir = join(dir, 'w'.repeat(120));
  mkdirSync(join(dir, 'project'));
  mkdirSync(workDir);
  const source = `import os, socket, urllib.request\ndef build(ctx):\n${body.replace(/^/gm, '    ')}\n    return []\n`;
  writeFileSync(join(dir, 'project/a.py'), source);
  const relay = new ServiceRelay(service ?? `http://127.0.0.1:${port}`, env, null);
  const interpreter = new PythonInterpreter({
    isolation,
    limited: await limitedHere(isolation, python, { open_files: 64, processes: 50 }),
    network: {
      upstream: null,
      ...more,
      approved: approved.map((text) => parseApprovedHost(text)!),
      service: relay,
      hosts,
    },
    python: python!.command,
    support,
    projectDir: join(dir, 'project'),
    workDir,
    inheritedEnv: { HTTPS_PROXY: 'http://user:password@proxy.example:3128' },
  });
  const lines: string[] = [];
  const result = await interpreter.run({
    ...({ asset: 'a.b', kind: 'table', file: 'a.py', function: 'build', runId: 'r', environment: 'dev' } as const),
    url: 'http://outside.example',
    token: 'svc_task_canary',
    onLine: (_, line) => lines.push(line),
  });
  relay.close();
  return { lines, failure: result.status === 'succeeded' ? null : result.failure };
}

const get = (url: string) => `print(urllib.request.urlopen(${url}).read().decode())`;

/** Tries something and prints what came of it. */
const attempt = (code: string) => `
try:
    print(${code})
except Exception as error:
    print(type(error).__name__, error)`;

restricted('a task with a network of its own (RUN-18)', () => {
  test('reaches the service at SVC_URL with an ordinary library, in both directions and more than once', async () => {
    const { lines, failure } = await task(`
${get("os.environ['SVC_URL'] + '/api/v1/me?a=b'")}
request = urllib.request.Request(os.environ['SVC_URL'] + '/post', data=b'0123456789' * 3_000_000)
print(urllib.request.urlopen(request).read().decode())
print(len(urllib.request.urlopen(os.environ['SVC_URL'] + '/large').read()))`);
    expect(failure).toBeNull();
    expect(lines).toEqual(['GET /api/v1/me?a=b 0 ', 'POST /post 30000000 0123456789', '30000000']);
    expect(seen.at(-1)!.headers.host).toBe(`127.0.0.1:${port}`);
  });

  test('reaches it while it has many connections, and after it used up its open files', async () => {
    const { lines } = await task(`
address = ('127.0.0.1', int(os.environ['SVC_URL'].rsplit(':', 1)[1]))
connections = []
try:
    while True: connections.append(socket.create_connection(address))
except OSError as error:
    print(error.strerror)
for connection in connections: connection.close()
${get("os.environ['SVC_URL'] + '/again'")}`);
    expect(lines).toEqual(['Too many open files', 'GET /again 0 ']);
  });

  test('finds no child that it did not start', async () => {
    const { lines } = await task(attempt('os.wait()'));
    expect(lines).toEqual(['ChildProcessError [Errno 10] No child processes']);
  });

  test('reaches no other port of the machine, no other machine and no name', async () => {
    const other = await serve(createServer(echo));
    const connect = (host: string, to: number) => attempt(`socket.create_connection(('${host}', ${to}), 5)`);
    const { lines } = await task(
      [
        connect('127.0.0.1', other),
        connect('169.254.169.254', 80),
        connect('8.8.8.8', 53),
        connect('fe80::1', 80),
        connect('api.example.com', 443),
        attempt("socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('8.8.8.8', 53))"),
        attempt('sorted(name for _, name in socket.if_nameindex())'),
      ].join('\n'),
    );
    expect(lines).toEqual([
      expect.stringContaining('ConnectionRefusedError'),
      'OSError [Errno 101] Network is unreachable',
      'OSError [Errno 101] Network is unreachable',
      expect.stringMatching(/^OSError/),
      expect.stringMatching(/^gaierror .*name resolution/),
      'OSError [Errno 101] Network is unreachable',
      "['lo']",
    ]);
  });

  describe('beside a program that listens on an abstract socket', () => {
    const name = `svc-abstract-${process.pid}`;
    let listener: ChildProcess;
    beforeAll(async () => {
      const code = `import socket, sys
server = socket.socket(socket.AF_UNIX)
server.bind('\\0' + sys.argv[1])
server.listen()
print('up', flush=True)
while True: server.accept()[0].sendall(b'reached')`;
      listener = spawn(python!.command, ['-c', code, name], { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(listener.stdout!, 'data');
    });
    afterAll(() => listener.kill('SIGKILL'));

    test("can't connect to it, although the worker can", async () => {
      const connect = `
client = socket.socket(socket.AF_UNIX)
client.connect('\\0${name}')
print(client.recv(10))`;
      const outside = execFileSync(python!.command, ['-c', `import socket${connect}`], { encoding: 'utf8' });
      expect(outside).toBe("b'reached'\n");
      const { failure } = await task(connect);
      expect(failure?.detail).toBe('ConnectionRefusedError: [Errno 111] Connection refused');
    });
  });

  test('with its own end of the socket reaches nothing else either', async () => {
    const { lines } = await task(`
client = socket.socket(socket.AF_UNIX)
client.connect('/.svc-relay')
client.sendall(b'CONNECT 169.254.169.254:80 HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')
print(client.recv(1000).decode().split('\\r\\n')[0])
try:
    os.unlink('/.svc-relay')
except OSError as error:
    print(error.strerror)`);
    expect(lines.slice(1)).toEqual([
      expect.stringContaining(
        'HTTP/1.1 403 svc: tasks cannot connect to 169.254.169.254:80, because the project does not',
      ),
      expect.stringMatching(/Device or resource busy|Read-only file system|Permission denied/),
    ]);
  });

  test("doesn't see the operator's proxy", async () => {
    const { lines } = await task("print(any('password' in value for value in os.environ.values()))");
    expect(lines).toEqual(['False']);
  });
});

restricted('a sandbox with the network of the worker', () => {
  test('reaches what the worker reaches', async () => {
    const code = `import socket\nprint(socket.create_connection(('127.0.0.1', ${port})).getpeername()[1])`;
    const paths = { interpreters: [python!.command], readable: [], writable: [] };
    const program = { command: python!.command, args: ['-I', '-c', code], cwd: '/', env: {} };
    const reached = await runIsolated(isolation, { ...paths, network: { kind: 'worker' } }, program);
    expect(reached.stdout).toBe(`${port}\n`);
    expect((await runIsolated(isolation, paths, program)).stderr).toContain('Connection refused');
  });
});

restricted('a host outside (RUN-18)', () => {
  const resolve = async () => ['127.0.0.1'];
  const open = { approved: ['api.example.com', '127.0.0.1'], resolve };

  test('is reached if the project names it and the operator approved it, by request and by tunnel', async () => {
    const hosts = [`api.example.com:${port}`];
    const { lines, failure } = await task(
      `${get(`'http://api.example.com:${port}/plain'`)}
import http.client
tunnel = http.client.HTTPConnection('127.0.0.1', int(os.environ['HTTPS_PROXY'].rsplit(':', 1)[1]))
tunnel.set_tunnel('api.example.com', ${port})
tunnel.request('GET', '/tunnel')
print(tunnel.getresponse().read().decode())`,
      { ...open, hosts },
    );
    expect(failure).toBeNull();
    expect(lines).toEqual(['GET /plain 0 ', 'GET /tunnel 0 ']);
  });

  test.each([
    [
      'that neither names',
      {},
      'svc: tasks cannot connect to api.example.com:443, because the project does not name it and the operator has not approved it: add it to network in svc.yaml and have the operator add it to SVC_RUN__NETWORK',
      'add api.example.com:443 to network in svc.yaml and have the operator add it to SVC_RUN__NETWORK',
    ],
    [
      'that the project does not name',
      { approved: ['*.example.com'] },
      'svc: tasks cannot connect to api.example.com:443, because the project does not name it: add it to network in svc.yaml',
      'add api.example.com:443 to network in svc.yaml',
    ],
    [
      'that the operator did not approve',
      { hosts: ['api.example.com:443'] },
      'svc: tasks cannot connect to api.example.com:443, because the operator has not approved it: have the operator add it to SVC_RUN__NETWORK',
      'have the operator add api.example.com:443 to SVC_RUN__NETWORK',
    ],
    [
      'that leads to an address that is not public',
      { hosts: ['api.example.com:443'], approved: ['*'] },
      'svc: api.example.com:443 has no public address, and the operator approved no other (SVC_RUN__NETWORK)',
      'have the operator add its address to SVC_RUN__NETWORK',
    ],
  ])('%s is refused, and the error and the log of the task say why', async (_, network, reason, remedy) => {
    const { lines, failure } = await task(get("'https://api.example.com/'"), { resolve, ...network });
    expect(lines).toContain(reason);
    expect(failure).toMatchObject({
      code: 'task-failed',
      detail: expect.stringMatching(/svc: (tasks cannot connect to )?api\.example\.com:443/),
      remedy,
    });
    // Nothing is advised twice.
    expect(failure!.detail).not.toMatch(/add it to/);
  });

  test('on a metadata address is refused, whatever is approved', async () => {
    const hosts = ['api.example.com:80', '169.254.169.254:80'];
    const approved = ['*', '169.254.0.0/16'];
    const { lines } = await task(
      ['api.example.com', '169.254.169.254']
        .map((host) => attempt(`urllib.request.urlopen('http://${host}/')`))
        .join('\n'),
      { hosts, approved, resolve: async () => ['169.254.169.254'] },
    );
    expect(lines.filter((line) => line.startsWith('HTTPError HTTP Error 403'))).toHaveLength(2);
  });

  test('reached without the proxy fails with a remedy', async () => {
    const { failure } = await task("socket.create_connection(('db.example.com', 5432))");
    expect(failure).toMatchObject({
      code: 'task-failed',
      remedy: expect.stringMatching(/HTTPS_PROXY.*SVC_RUN__NETWORK/),
    });
  });

  test('on the machine of the worker, reached as 127.0.0.1, fails with a remedy', async () => {
    const { failure } = await task("socket.create_connection(('localhost', 5432))");
    expect(failure).toMatchObject({ code: 'task-failed', remedy: expect.stringContaining('its own sandbox') });
  });

  test('that is the service itself is only reached by requests to SVC_URL', async () => {
    const { lines } = await task(`
tunnel = socket.create_connection(('127.0.0.1', ${port}))
tunnel.sendall(b'CONNECT 127.0.0.1:${port} HTTP/1.1\\r\\n\\r\\n')
print(tunnel.recv(1000).split()[1])
tunnel = socket.create_connection(('127.0.0.1', ${port}))
tunnel.sendall(b'GET //api.example.com/x HTTP/1.1\\r\\nHost: api.example.com\\r\\nConnection: close\\r\\n\\r\\n')
print(tunnel.recv(1000).decode().split('\\r\\n')[0])`);
    expect(lines.filter((line) => !line.startsWith('svc:'))).toEqual(["b'403'", 'HTTP/1.1 200 OK']);
    expect(seen.at(-1)!.headers.host).toBe(`127.0.0.1:${port}`);
  });

  test("can't pretend that its requests come from another address", async () => {
    const names = ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Proto'];
    await task(`
headers = {name: 'for=192.0.2.1' for name in ${JSON.stringify([...names, 'X-Other'])}}
urllib.request.urlopen(urllib.request.Request(os.environ['SVC_URL'] + '/x', headers=headers))`);
    const { headers } = seen.at(-1)!;
    expect(headers['x-other']).toBe('for=192.0.2.1');
    for (const name of names) expect(headers).not.toHaveProperty(name.toLowerCase());
  });

  test('reaches nothing else at the address of a service that is below a path', async () => {
    const before = seen.length;
    const paths = [
      '/svc',
      '/svc/../x',
      '/svc/%2e%2E/x',
      '/svc/..%2fx',
      '/svc/..%5cx',
      '/svc/a/..%2f..%2fx',
      '/svc/..;a/x',
      '/svcx',
      '/x',
      '//svc/x',
    ];
    const { lines } = await task(
      `
import http.client
for path in ${JSON.stringify(paths)}:
    connection = http.client.HTTPConnection('127.0.0.1', int(os.environ['SVC_URL'].split(':')[2].split('/')[0]))
    connection.putrequest('GET', path)
    connection.endheaders()
    print(connection.getresponse().status)`,
      { service: `http://127.0.0.1:${port}/svc/` },
    );
    expect(lines).toEqual(paths.map((path) => (path === '/svc' ? '200' : '404')));
    expect(seen.slice(before).map(({ url }) => url)).toEqual(['/svc']);
  });

  test('an error of the task itself keeps its remedy', async () => {
    const { failure } = await task("raise ValueError('no network of friends')");
    expect(failure).toMatchObject({ code: 'task-failed', remedy: null });
  });
});

restricted('a service with TLS', () => {
  test('is reached through its certificate authority, and not without', async () => {
    const folder = join(base, 'tls');
    mkdirSync(folder);
    const { path, key, cert } = await makeCertificate(folder, 'DNS:localhost');
    const secure = createSecureServer({ key, cert }, echo);
    const service = `https://localhost:${await serve(secure)}/base/`;
    const code = `print(os.environ['SVC_URL'].startswith('http://127.0.0.1:'))\n${get("os.environ['SVC_URL'] + '/x'")}`;
    expect(await task(code, { service, env: { SSL_CERT_FILE: path } })).toEqual({
      lines: ['True', 'GET /base/x 0 '],
      failure: null,
    });
    expect((await task(code, { service })).failure?.detail).toContain('HTTP Error 502');
  });
});
