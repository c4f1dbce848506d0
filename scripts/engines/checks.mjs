// Shared by the engine scenarios: calls to the service, and checks that continue after a failure.
import { isDeepStrictEqual } from 'node:util';
import { TOKEN } from './service.mjs';

/** Calls the service's API below `/api/v1`. */
export async function rest(url, method, path, body, token = TOKEN) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  return text === '' ? null : JSON.parse(text);
}

/** The service as its own clients see it: every value of a row as a text, for engines to be compared with. */
export function serviceSide(url) {
  const call = (method, path, body) => rest(url, method, path, body);
  const record = async (sql, more = {}) => {
    const { id } = await call('POST', '/environments/dev/queries', { sql, ...more });
    const finished = await call('GET', `/environments/dev/queries/${id}?wait=60`);
    if (finished.status !== 'SUCCEEDED') throw new Error(`${sql}\n${JSON.stringify(finished.error)}`);
    return finished;
  };
  const query = async (sql, more = {}) => (await record(sql, more)).id;
  return {
    call,
    record,
    query,
    async sql(sql) {
      const id = await query(sql);
      const { rows } = await call('GET', `/environments/dev/queries/${id}/results?format=json`);
      return rows.map((row) => row.map((value) => (value === null ? null : String(value))));
    },
  };
}

/** Collects what fails. */
export function checker(engine) {
  let failed = 0;
  return {
    /** Holds that two values, made by functions, are the same. */
    async equal(what, found, expected) {
      try {
        const [left, right] = [await found(), await expected];
        if (!isDeepStrictEqual(left, right)) throw new Error(`${JSON.stringify(left)} is not ${JSON.stringify(right)}`);
        console.log(`  passed      ${what}`);
      } catch (error) {
        failed += 1;
        console.log(`  FAILED      ${what}: ${error.message.slice(0, 1500)}`);
      }
    },
    end() {
      console.log(failed === 0 ? `${engine}: all passed.` : `${engine}: ${failed} failed.`);
      return failed;
    },
  };
}
