import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceRelay, type TaskNetwork } from '../outgoing/index.ts';
import { findPython, type InstalledTool } from '../programs/find-tools.ts';
import { buildLimitsHere, isolationHere, limitedHere, processesWith, toolsHere } from '../testing/index.ts';
import { RunError } from '../work/run-error.ts';
import { buildEnvironment } from './build-environment.ts';
import { prepareSupport } from './prepare-support.ts';
import { PythonInterpreter } from './python-interpreter.ts';
import type { PythonTask, SparkTask } from './python-task.ts';

const sdk = fileURLToPath(new URL('../../../sdk-python', import.meta.url));
const path = process.env['PATH'] ?? '';
const inheritedEnv = Object.fromEntries(
  ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]!]],
  ),
);
const { uv, python } = await toolsHere();
if (uv === null || python === null)
  console.warn('uv or Python is missing here: the tests of environments are left out');
const isolation = await isolationHere(join(tmpdir(), 'svc-nobody'));
const limits = await buildLimitsHere(isolation, python);
const withTools = uv !== null && python !== null ? describe : describe.skip;

let base: string;
let envRoot: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'svc-python-'));
  envRoot = join(base, 'environments');
  mkdirSync(envRoot);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const PYPROJECT =
  '[project]\nname = "app"\nversion = "0"\nrequires-python = ">=3.10"\ndependencies = ["tiny"]\n[tool.uv]\npackage = false\n';
const LOCK = `version = 1
requires-python = ">=3.10"

[[package]]
name = "app"
version = "0"
source = { virtual = "." }
dependencies = [{ name = "tiny" }]

[package.metadata]
requires-dist = [{ name = "tiny" }]

[[package]]
name = "tiny"
version = "1.0"
source = { registry = "wheelhouse" }
wheels = [{ path = "tiny-1.0-py3-none-any.whl" }]
`;

/** A handmade wheel with one module, so that nothing needs to be downloaded. */
function makeWheelhouse(): string {
  const folder = join(base, 'wheelhouse');
  mkdirSync(folder);
  const script = `
import zipfile, sys
with zipfile.ZipFile(sys.argv[1], 'w') as wheel:
    wheel.writestr('tiny.py', 'VALUE = 42\\n')
    wheel.writestr('tiny-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n')
    wheel.writestr('tiny-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr('tiny-1.0.dist-info/RECORD', 'tiny.py,,\\ntiny-1.0.dist-info/METADATA,,\\ntiny-1.0.dist-info/WHEEL,,\\ntiny-1.0.dist-info/RECORD,,\\n')
`;
  execFileSync(python!.command, ['-c', script, join(folder, 'tiny-1.0-py3-none-any.whl')]);
  return folder;
}

withTools('with real uv and Python', () => {
  const tools = { uv: uv as InstalledTool, python: python as InstalledTool, isolation, sdk, limits };
  let wheelhouse: string;
  let support: string;
  let server: Server;
  let url: string;
  const requests: string[] = [];
  const traces: (string | undefined)[] = [];

  beforeAll(async () => {
    wheelhouse = makeWheelhouse();
    support = await prepareSupport({ ...tools, envRoot, inheritedEnv });
    server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      traces.push(request.headers['traceparent'] as string | undefined);
      response.setHeader('content-type', 'application/json');
      const results = request.url?.includes('/results');
      const body = results
        ? { columns: [{ name: 'n', type: 'long' }], rows: [[7]], next_cursor: null }
        : { id: 'q', status: 'SUCCEEDED', sql_text: '' };
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }, 300_000);
  afterAll(() => server.close());

  const build = (more = {}) =>
    buildEnvironment({ ...tools, envRoot, lock: LOCK, pyproject: PYPROJECT, wheelhouse, inheritedEnv, ...more });

  test('an environment is built from the lock once, by the first caller, and reused', async () => {
    const [first, second] = await Promise.all([build(), build()]);
    expect([first.reused, second.reused].sort()).toEqual([false, true]);
    expect(second.dir).toBe(first.dir);
    expect((await build()).reused).toBe(true);
    const printed = execFileSync(first.python, ['-I', '-c', 'import tiny, sys; print(tiny.VALUE, sys.prefix)'], {
      encoding: 'utf8',
    });
    expect(printed).toBe(`42 ${first.dir}\n`);
    expect(readdirSync(envRoot).filter((name) => /building|home/.test(name))).toEqual([]);
  });

  test('a lock that cannot be built leaves no files and shows the output of uv', async () => {
    const broken = LOCK.replace('path = "tiny-1.0-py3-none-any.whl"', 'path = "gone-1.0-py3-none-any.whl"');
    const failure = await build({ lock: broken }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RunError);
    expect(failure).toMatchObject({ code: 'environment-failed', detail: expect.stringContaining('gone-1.0') });
    expect(readdirSync(envRoot).filter((name) => /building|home/.test(name))).toEqual([]);
  });

  test('without uv the sentence says so', async () => {
    await expect(build({ uv: null, lock: `${LOCK}\n` })).rejects.toMatchObject({ code: 'uv-missing' });
  });

  test('a version request that nothing meets finds nothing', async () => {
    expect(await findPython('3.99', uv, path)).toBeNull();
    expect(await findPython('>=3.10', uv, path)).not.toBeNull();
  });

  const restricted = isolation.kind === 'bubblewrap' && isolation.ownNetwork;
  function networkOf(more: Partial<TaskNetwork & { hosts: readonly string[] }> | null) {
    if (!restricted || more === null) return null;
    return { approved: [], upstream: null, service: new ServiceRelay(url, {}, null), hosts: [], ...more };
  }

  async function task(
    source: string,
    { network = {}, ...more }: Partial<PythonTask> & { network?: Parameters<typeof networkOf>[0] } = {},
  ) {
    const dir = mkdtempSync(join(base, 'task-'));
    mkdirSync(join(dir, 'project'));
    mkdirSync(join(dir, 'work'));
    writeFileSync(join(dir, 'project', 'a.py'), source);
    const lines: string[] = [];
    const limited = await limitedHere(isolation, python);
    const interpreter = new PythonInterpreter({
      isolation,
      limited,
      network: networkOf(network),
      python: (await build()).python,
      support,
      projectDir: join(dir, 'project'),
      workDir: join(dir, 'work'),
    });
    const result = await interpreter.run({
      asset: 'marts.t',
      kind: 'table',
      file: 'a.py',
      function: 'build',
      runId: 'r1',
      environment: 'dev',
      url,
      token: 'svc_task_canary',
      onLine: (stream, line) => lines.push(`${stream}: ${line}`),
      ...more,
    });
    return { result, lines, dir };
  }

  const head = 'import svc\n@svc.asset(table="marts.t")\ndef build(ctx):\n';

  test('a task reads the service with its token and writes rows that the project made with its packages', async () => {
    const { result, lines } = await task(
      `import tiny\n${head}    ctx.log("hello")\n    for row in ctx.table("a.b"):\n        yield {"n": row["n"] + tiny.VALUE}\n`,
    );
    expect(result).toMatchObject({
      status: 'succeeded',
      kind: 'table',
      format: 'ndjson',
      rows: 1,
      columns: [{ name: 'n', type: 'long' }],
    });
    if (result.status === 'succeeded' && result.kind === 'table')
      expect(readFileSync(result.file, 'utf8')).toBe('{"n": 49}\n');
    expect(lines).toEqual(['stdout: hello']);
    expect(requests.at(-1)).toContain('Bearer svc_task_canary');
  });

  test('without its own network, a task reaches a service at an http address of another name (RUN-18)', async () => {
    // A connection to 0.0.0.0 reaches this machine, but the client doesn't count it as such.
    const { result } = await task(`${head}    return [{"n": row["n"]} for row in ctx.table("a.b")]\n`, {
      url: url.replace('127.0.0.1', '0.0.0.0'),
      network: null,
    });
    expect(result).toMatchObject({ status: 'succeeded', rows: 1 });
  });

  test('an artifact keeps its name', async () => {
    const { result } = await task(
      `${head}    path = ctx.scratch / "r.html"\n    path.write_text("<p>")\n    return path\n`,
      { kind: 'artifact' },
    );
    expect(result).toMatchObject({ status: 'succeeded', kind: 'artifact', name: 'r.html', bytes: 3 });
  });

  test("a task starts in a copy of its project's files and doesn't change the originals", async () => {
    const { result, dir } = await task(
      `from pathlib import Path\n${head}    Path("r.html").write_text(Path("a.py").read_text()[:6])\n    return "r.html"\n`,
      { kind: 'artifact' },
    );
    expect(result).toMatchObject({ status: 'succeeded', kind: 'artifact', name: 'r.html', bytes: 6 });
    expect(readdirSync(join(dir, 'project'))).not.toContain('r.html');
  });

  test('a failure is reported, and the token is neither in the log nor in the record', async () => {
    const { result, lines } = await task(
      `import os\n${head}    print(os.environ["SVC_TOKEN"])\n    raise ValueError("bad " + os.environ["SVC_TOKEN"])\n`,
    );
    expect(result).toMatchObject({ status: 'failed', failure: { code: 'task-failed', detail: 'ValueError: bad ***' } });
    expect(lines[0]).toBe('stdout: ***');
    expect(lines.join('\n')).toContain('raise ValueError');
    expect(JSON.stringify([result, lines])).not.toContain('canary');
  });

  test('no part of the token is in the log or the record where a long line or message is cut', async () => {
    // A line of this length is logged before its end arrives. The task then continues.
    const code = `import os\n${head}    token = os.environ["SVC_TOKEN"]\n    print(ctx.scratch)\n    for n in 1, 7, 14:\n        os.write(1, b"x" * 16384 + token[:n].encode())\n        while not (ctx.scratch / str(n)).exists():\n            pass\n        os.write(1, token[n:].encode() + b"\\n")\n    raise ValueError("y" * 3980 + token)\n`;
    const cuts = [1, 7, 14];
    const printed: string[] = [];
    const { result } = await task(code, {
      onLine: (stream, line) => {
        if (stream !== 'stdout') return;
        printed.push(line);
        if (line.includes('x'.repeat(16384))) writeFileSync(join(printed[0]!, String(cuts.shift())), '');
      },
    });
    expect(result).toMatchObject({
      status: 'failed',
      failure: { detail: expect.stringMatching(/^ValueError: y{3980}\*{3}$/) },
    });
    expect(printed.slice(1).join('').replaceAll(/x+/g, '')).toBe('***'.repeat(3));
  });

  test('what a task prints without a line end after the start of its token is logged', async () => {
    const { lines } = await task(`import sys\n${head}    sys.stdout.write("is svc_task")\n    return []\n`);
    expect(lines).toEqual(['stdout: is svc_task']);
  });

  test('a traced task receives its trace, and its requests continue it', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { lines } = await task(
      `import os\n${head}    print(os.environ["TRACEPARENT"])\n    return list(ctx.table("a.b"))\n`,
      { traceparent },
    );
    expect(lines[0]).toBe(`stdout: ${traceparent}`);
    expect(traces.at(-1)).toBe(traceparent);
  });

  test('nothing of the worker reaches the task', async () => {
    process.env['SVC_SECRETS__KEY'] = 'canary-key';
    try {
      const { lines } = await task(`import os\n${head}    print(sorted(set(os.environ) - {"PWD"}))\n    return []\n`);
      expect(lines[0]).toBe(
        restricted
          ? "stdout: ['HOME', 'HTTPS_PROXY', 'HTTP_PROXY', 'LANG', 'NO_PROXY', 'PATH', 'SVC_ENV', 'SVC_TOKEN', 'SVC_URL', 'TMPDIR', 'VIRTUAL_ENV', 'http_proxy', 'https_proxy', 'no_proxy']"
          : "stdout: ['HOME', 'LANG', 'PATH', 'SVC_ENV', 'SVC_TOKEN', 'SVC_URL', 'TMPDIR', 'VIRTUAL_ENV']",
      );
    } finally {
      delete process.env['SVC_SECRETS__KEY'];
    }
  });

  test('a cancel and a kill stop the task and its children', async () => {
    const canary = `600.0${process.pid}`;
    const forever = `import subprocess, time\n${head}    subprocess.Popen(["sleep", "${canary}"])\n    print("up")\n    time.sleep(600)\n`;
    const controller = new AbortController();
    const cancelled = await task(forever, { signal: controller.signal, onLine: () => controller.abort() });
    expect(cancelled.result).toMatchObject({ status: 'cancelled' });
    expect(processesWith(canary)).toEqual([]);
    const killed = await task(`import os\n${head}    os.kill(os.getpid(), 9)\n`);
    expect(killed.result).toMatchObject({ status: 'failed', failure: { code: 'task-killed' } });
  });

  test('an interpreter waits without a token, and standard input is empty for the task', async () => {
    const source = `import os, sys\n${head}    print(repr(sys.stdin.read()), os.environ["SVC_ENV"])\n    return [{"n": 1}]\n`;
    const { lines } = await task(source);
    expect(lines).toEqual(["stdout: '' dev"]);
  });

  test('an interpreter that gets no task leaves no process', async () => {
    const workDir = mkdtempSync(join(base, 'waiting-'));
    const limited = await limitedHere(isolation, python);
    const interpreter = new PythonInterpreter({
      ...{ isolation, limited, support, workDir, projectDir: base, network: networkOf({}) },
      python: (await build()).python,
    });
    expect(interpreter.isWaiting).toBe(true);
    await interpreter.discard();
    expect(interpreter.isWaiting).toBe(false);
    expect(processesWith(workDir)).toEqual([]);
  });

  describe('a task with a Spark server', () => {
    const columns = [{ name: 'n', type: 'long' }];
    const announced = (after: string) => `${HEAD_SPARK}    folder = os.path.dirname(str(ctx.scratch)) + "/output"
    open(folder + "/frame.json", "w").write(json.dumps({"columns": [{"name": "n", "type": "long"}]}))
    print("before marker-1")
${after}`;
    const HEAD_SPARK = `import os, json, sys\n${head}`;
    const sparkOf = (stage: SparkTask['stage']): SparkTask => ({
      ...{ server: { url: 'sc://127.0.0.1:1', host: '127.0.0.1', port: 1 }, catalog: 'http://x/catalog' },
      ...{ marker: 'marker-1', stage },
    });

    test('announces a DataFrame once, and its marker is not in the log', async () => {
      const seen: unknown[] = [];
      const { result, lines } = await task(announced('    print("marker-1")\n    return []\n'), {
        spark: sparkOf(async (found) => {
          seen.push(found);
          return 'svc.svc_staging.s_1';
        }),
      });
      expect(seen).toEqual([columns]);
      expect(lines).toEqual(['stdout: before ', 'stdout: marker-1']);
      expect(result).toMatchObject({ status: 'succeeded', kind: 'table', rows: 0 });
    });

    test("names the package that the project's lock lacks", async () => {
      const { result } = await task(`${head}    return [{"n": ctx.spark.range(1).count()}]\n`, {
        spark: sparkOf(undefined),
      });
      expect(result).toMatchObject({
        failure: { code: 'task-failed', detail: expect.stringContaining('needs the package pyspark-client') },
      });
    });

    test('another task cannot claim that Spark has written its rows', async () => {
      const forge = `${HEAD_SPARK}    open(os.path.dirname(str(ctx.scratch)) + "/output/result.json", "w").write(json.dumps({"status": "succeeded", "kind": "staged"}))\n    os._exit(0)\n`;
      expect((await task(forge)).result).toMatchObject({ status: 'failed', failure: { code: 'task-failed' } });
      const without = await task(`${head}    return [{"n": str(ctx.spark)}]\n`);
      expect(without.result).toMatchObject({
        failure: { detail: 'RuntimeError: ctx.spark needs engine="spark" in the decorator of marts.t' },
      });
    });
  });

  test('a forged result is not believed', async () => {
    const forge = `import os, json, sys\n${head}    folder = os.path.dirname(str(ctx.scratch)) + "/output"\n    os.symlink("/etc/passwd", folder + "/data.ndjson")\n    open(folder + "/result.json", "w").write(json.dumps({"status": "succeeded", "kind": "table", "file": "data.ndjson", "format": "ndjson", "rows": 1, "columns": None}))\n    os._exit(0)\n`;
    expect((await task(forge)).result).toMatchObject({ status: 'failed', failure: { code: 'task-failed' } });
  });
});
