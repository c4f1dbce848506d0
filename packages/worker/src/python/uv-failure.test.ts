import { uvFailure } from './uv-failure.ts';

const NONE = { indexes: [], refused: [], tooLarge: false };

/** The format of uv 0.13; older versions write `Caused by:` for `cause:`. */
function outputOf(...causes: string[]): string[] {
  const chain = causes.map((cause) => `  cause: ${cause}`);
  return ['error: Failed to download `alpha==1.0`', ...chain, 'hint: `alpha` (v1.0) was included because …'];
}

const of = (...causes: string[]) => uvFailure('exited', outputOf(...causes), NONE);
const FILE = 'alpha-1.0-py3-none-any.whl';
const EXTRACT = `Failed to extract archive: ${FILE}`;
const FETCH = 'Failed to fetch: https://i.example/a.whl';
const SEND = 'error sending request for url (https://i.example/a.whl)';
const WITHIN = 'I/O operation failed during extraction';

const DAMAGED = `the file ${FILE} is damaged or isn't the one that was locked`;
const TIMED_OUT = "the package index didn't respond in time";
const BROKEN = 'the package index interrupted its response';
const UNREACHABLE = "the package index couldn't be reached";

test.each<[cause: string, causes: string[]]>([
  [DAMAGED, [EXTRACT, 'ZIP file contains trailing contents after the end-of-central-directory record']],
  [DAMAGED, [EXTRACT, 'Invalid zip file structure', 'unable to locate the end of central directory record']],
  [DAMAGED, [EXTRACT, 'Invalid zip file structure', 'an upstream reader returned an error: unexpected end of file']],
  [DAMAGED, [EXTRACT, 'Bad CRC (got 84ba50f4, expected 6b783bca) for file: alpha.py']],
  [DAMAGED, [EXTRACT, WITHIN, 'corrupt deflate stream']],
  [
    TIMED_OUT,
    [EXTRACT, WITHIN, 'Failed to download distribution due to network timeout. Try increasing UV_HTTP_TIMEOUT'],
  ],
  [TIMED_OUT, [FETCH, SEND, 'operation timed out']],
  [BROKEN, ['Failed to write to the distribution cache', 'end of file before message length reached']],
  [BROKEN, [EXTRACT, WITHIN, 'error reading a body from connection', 'Connection reset by peer (os error 104)']],
  [`${UNREACHABLE}: tunnel error: unsuccessful`, [FETCH, SEND, 'client error (Connect)', 'tunnel error: unsuccessful']],
  [UNREACHABLE, [FETCH, SEND, 'client error (Connect)', 'dns error', 'failed to lookup address information']],
  ['Failed to download `alpha==1.0`: Invalid gzip header', ['error decoding response body', 'Invalid gzip header']],
])('%s', (cause, causes) => {
  const { detail } = of(...causes);
  expect(detail.split('\n')[0]).toContain(`couldn't be built: ${cause}`);
  expect(detail).toContain(`uv printed:\nerror: Failed to download`);
  const older = outputOf(...causes).map((line) => line.replace('  cause:', '  Caused by:'));
  expect(uvFailure('exited', older, NONE).detail.split('\n')[0]).toContain(cause);
});

test.each([
  ['No space left on device (os error 28)', EXTRACT, WITHIN],
  ['Disk quota exceeded (os error 122)', 'failed to write to file `/work/.tmp/alpha.so`'],
])('a full disk of the worker is the cause, and no lock helps: %s', (last, ...causes) => {
  const { code, detail, remedy } = of(...causes, last);
  expect([code, remedy]).toEqual(['worker-disk-full', expect.stringContaining('free space')]);
  expect(detail.split('\n')[0]).toBe("the disk of the worker is full, so the Python environment couldn't be built");
});

test('output of uv without causes is shown unchanged', () => {
  expect(uvFailure('exited', ['error: No solution found'], NONE).detail).toMatch(
    /couldn't be built: No solution found\n/,
  );
  expect(uvFailure('exited', [], NONE).code).toBe('environment-failed');
});
