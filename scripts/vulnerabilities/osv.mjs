// The database of OSV, which has vulnerabilities of packages of npm and PyPI: https://google.github.io/osv.dev/api/
const ADDRESS = process.env.OSV_URL ?? 'https://api.osv.dev';
const TIMEOUT_MS = 30_000;
/** Packages in one request, which has at most 1,000. */
const BATCH = 500;
/** Severities of GitHub's advisories. One without a severity may be serious. */
const HARMLESS = new Set(['LOW', 'MODERATE']);

class UnreachableError extends Error {}

async function request(path, body) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${ADDRESS}${path}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    (error) => {
      throw new UnreachableError(error.cause?.code ?? error.message);
    },
  );
  if (!response.ok) throw new UnreachableError(`${path} responded with ${response.status}`);
  return response.json();
}

/** The ids of the vulnerabilities of each package. @throws Error if the response isn't understood */
async function idsOf(packages) {
  const queries = packages.map(({ ecosystem, name, version }) => ({ package: { ecosystem, name }, version }));
  const { results } = await request('/v1/querybatch', { queries });
  if (!Array.isArray(results) || results.length !== packages.length)
    throw new Error('The response of OSV has an unknown form.');
  if (results.some(({ next_page_token }) => next_page_token))
    throw new Error('OSV has more vulnerabilities than one page.');
  return results.map(({ vulns = [] }) => vulns.map(({ id }) => id));
}

/**
 * The vulnerabilities of packages `{ ecosystem, name, version }`, as texts, without those of low and moderate severity; or the reason
 * why they can't be looked up.
 * @throws Error if a response isn't understood
 */
export async function osvVulnerabilities(packages) {
  const found = [];
  try {
    for (let from = 0; from < packages.length; from += BATCH) {
      const batch = packages.slice(from, from + BATCH);
      for (const [i, ids] of (await idsOf(batch)).entries()) {
        for (const id of ids) {
          const { summary = '', database_specific: { severity = 'unknown severity' } = {} } = await request(
            `/v1/vulns/${id}`,
          );
          const { name, version } = batch[i];
          if (!HARMLESS.has(severity)) found.push(`${name}@${version}: ${id} ${summary} (${severity})`);
        }
      }
    }
  } catch (error) {
    if (error instanceof UnreachableError) return { unchecked: error.message };
    throw error;
  }
  return { found };
}
