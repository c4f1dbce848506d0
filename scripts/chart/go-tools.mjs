// What the trials of the chart need, as modules of Go: Helm, kubeconform, and the schemas of Kubernetes and KEDA.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from '../bootstrap/run.mjs';
import { cache } from '../bootstrap/stamp.mjs';

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.22.0';
const KUBECONFORM = 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0';
const KUBERNETES = 'k8s.io/kubernetes@v1.37.0';
const KEDA = 'github.com/kedacore/keda/v2@v2.21.0';

export const KUBERNETES_VERSION = KUBERNETES.split('@v')[1];

/** The path of a program, which Go builds once. */
async function programOf(path) {
  const [module, version] = path.split('@');
  const name = module.split('/').at(-1);
  const folder = join(cache, 'chart', `${name}-${version}`);
  if (!existsSync(join(folder, name))) {
    console.log(`Building ${name} for the trials of the chart …`);
    await quietly(`go install ${path}`, 'go', ['install', path], { env: { ...process.env, GOBIN: folder } });
  }
  return join(folder, name);
}

async function folderOf(module) {
  return JSON.parse(await quietly(`go mod download ${module}`, 'go', ['mod', 'download', '-json', module])).Dir;
}

/** @returns paths of the programs, and of the files that describe the objects of Kubernetes and KEDA */
export async function goTools() {
  return {
    helm: await programOf(HELM),
    kubeconform: await programOf(KUBECONFORM),
    swagger: join(await folderOf(KUBERNETES), 'api/openapi-spec/swagger.json'),
    scaledObject: join(await folderOf(KEDA), 'config/crd/bases/keda.sh_scaledobjects.yaml'),
  };
}
