// JSON schemas of Kubernetes' objects, as kubeconform reads them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../bootstrap/stamp.mjs';

const { parse } = createRequire(join(root, 'packages/core/package.json'))('yaml');

/** Types that OpenAPI 2 can't describe. */
const SPECIAL = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: ['string', 'integer'] },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: ['string', 'number'] },
};

/** Fields that the schema doesn't list are mistakes: the server would drop them. */
function strict(schema) {
  if (Array.isArray(schema)) return schema.map(strict);
  if (schema === null || typeof schema !== 'object') return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  if (schema['x-kubernetes-int-or-string'] === true) return { type: ['string', 'integer'] };
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || 'additionalProperties' in schema;
  return schema.properties && !isOpen ? { ...copy, additionalProperties: false } : copy;
}

/** The definitions that one of them refers to, and itself. */
function closure(definitions, name, found = {}) {
  if (name in found) return found;
  found[name] = SPECIAL[name] ?? strict(definitions[name]);
  for (const [, other] of JSON.stringify(found[name]).matchAll(/"#\/definitions\/([^"]+)"/g))
    closure(definitions, other, found);
  return found;
}

/**
 * Writes the schemas of these kinds, such as `apps/v1 Deployment`, to a folder.
 * @returns where kubeconform finds them
 */
export function writeSchemas(folder, kinds, { swagger, scaledObject }) {
  mkdirSync(folder, { recursive: true });
  const { definitions } = JSON.parse(readFileSync(swagger, 'utf8'));
  const crd = parse(readFileSync(scaledObject, 'utf8'));
  for (const kind of kinds) {
    const [version, name] = kind.split(' ');
    const group = version.includes('/') ? version.split('/')[0] : '';
    const found = Object.entries(definitions).find(([, { 'x-kubernetes-group-version-kind': all = [] }]) =>
      all.some((one) => one.kind === name && [one.group, one.version].filter(Boolean).join('/') === version),
    );
    const schema =
      group === crd.spec.group
        ? strict(crd.spec.versions[0].schema.openAPIV3Schema)
        : { $ref: `#/definitions/${found[0]}`, definitions: closure(definitions, found[0]) };
    const suffix = [group.split('.')[0], version.split('/').at(-1)].filter(Boolean).join('-');
    writeFileSync(join(folder, `${name}-${suffix}.json`.toLowerCase()), JSON.stringify(schema));
  }
  return `${folder}/{{ .ResourceKind }}{{ .KindSuffix }}.json`;
}
