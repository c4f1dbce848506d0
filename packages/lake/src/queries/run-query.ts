import type { ExternalEngine } from './external-engine.ts';
import { inSandbox } from './prepare-query.ts';
import type { QueryOutcome, QueryRequest } from './query-request.ts';
import { returnResult } from './return-result.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { writeDataFiles } from './write-data-files.ts';

/**
 * Runs one query of an untrusted user in its own process. Returns every failure as a value; a failed query leaves no
 * file. Throws unexpected errors of the service itself, such as a full disk in the store.
 */
export async function runQuery(
  sandbox: Sandbox,
  request: QueryRequest,
  external?: ExternalEngine,
): Promise<QueryOutcome> {
  const { output } = request;
  return inSandbox(sandbox, request, (lease) =>
    output.kind === 'result'
      ? returnResult(sandbox, lease, request, { external, location: output.location })
      : writeDataFiles(sandbox, lease, request, { external, output }),
  );
}
