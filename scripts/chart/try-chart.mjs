// Renders the chart with several values, and validates the objects with kubeconform against the schemas of Kubernetes and KEDA. Needs Go.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../bootstrap/stamp.mjs';
import { goTools, KUBERNETES_VERSION } from './go-tools.mjs';
import { writeSchemas } from './schemas.mjs';
import { REJECTED, VARIANTS } from './variants.mjs';

const { parseAllDocuments } = createRequire(join(root, 'packages/core/package.json'))('yaml');
const chart = join(root, 'deploy/helm/svc');

function check(what, isTrue) {
  if (!isTrue) throw new Error(`The chart: ${what} isn't so.`);
}

/** What no schema says. */
function verify({ worker = {}, networkPolicy = {}, podDisruptionBudget = {} }, objects) {
  const of = (kind, name) => objects.find((one) => one.kind === kind && one.metadata.name === `svc-${name}`)?.spec;
  const by = worker.autoscaling?.by ?? '';
  check('an autoscaler sets the replicas', (of('Deployment', 'worker').replicas === undefined) === (by !== ''));
  const scaler = of('HorizontalPodAutoscaler', 'worker') ?? of('ScaledObject', 'worker');
  check('it scales the worker', by === '' ? !scaler : scaler.scaleTargetRef.name === 'svc-worker');
  for (const kind of ['server', 'worker']) {
    const { labels } = of('Deployment', kind).template.metadata;
    const isOf = ({ matchLabels }) => Object.entries(matchLabels).every(([name, value]) => labels[name] === value);
    const budget = of('PodDisruptionBudget', kind);
    check('budgets are of the pods', podDisruptionBudget.enabled === false ? !budget : isOf(budget.selector));
    const policy = of('NetworkPolicy', kind);
    check('policies are of the pods', networkPolicy.enabled ? isOf(policy.podSelector) : !policy);
    for (const { labelSelector } of of('Deployment', kind).template.spec.topologySpreadConstraints ?? [])
      check('pods of a kind are spread', isOf(labelSelector));
  }
  if (!networkPolicy.enabled) return;
  const peers = (of('NetworkPolicy', 'server').ingress ?? []).flatMap(({ from }) => from);
  const workers = of('NetworkPolicy', 'worker').podSelector;
  check('workers reach servers', JSON.stringify(peers[0]) === JSON.stringify({ podSelector: workers }));
  const allowed = ['clients', 'monitoring', 'sqlClients'].flatMap((name) => networkPolicy[name] ?? []);
  check('only those listed reach servers', peers.length === 1 + allowed.length && peers.every(Boolean));
}

const tools = await goTools();
const run = (program, ...args) => execFileSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
const folder = mkdtempSync(join(tmpdir(), 'svc-chart-'));
try {
  const rendering = (values) => {
    const file = join(folder, 'values.json');
    writeFileSync(file, JSON.stringify(values));
    return ['svc', chart, '--kube-version', KUBERNETES_VERSION, '--values', file];
  };
  for (const [name, values] of Object.entries(VARIANTS)) {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, run(tools.helm, 'template', ...rendering(values)));
    const [, path, ...flags] = rendering(values);
    run(tools.helm, 'lint', '--strict', path, ...flags);
    const objects = parseAllDocuments(run('cat', file)).map((document) => document.toJSON());
    verify(values, objects);
    const kinds = [...new Set(objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`))];
    const schemas = writeSchemas(join(folder, 'schemas'), kinds, tools);
    const summary = run(tools.kubeconform, '-strict', '-summary', '-schema-location', schemas, file);
    console.log(`chart, ${name}: ${summary.trim()}`);
  }
  for (const [name, values] of Object.entries(REJECTED)) {
    const { status, stderr } = spawnSync(tools.helm, ['template', ...rendering(values)], { encoding: 'utf8' });
    check(`${name} is rejected by the schema`, status !== 0 && stderr.includes('schema'));
  }
  console.log(`chart: the schema rejects ${Object.keys(REJECTED).length} mistakes`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
