import { PUBLIC_FILE_HOST, PUBLIC_REGISTRY } from '@svc/core/package-indexes';

const hash = (n: number) => n.toString(16).padStart(64, '0');

/**
 * A lock of that many packages with their dependencies, as uv writes it: a tenth private, every seventh with wheels of
 * twenty platforms, the others with one.
 */
export function lockOf(packages: number, privateIndex: string): string {
  const parts = ['version = 1\nrevision = 3\nrequires-python = ">=3.10"\n'];
  parts.push('[[package]]\nname = "app"\nversion = "0"\nsource = { virtual = "." }\n');
  for (let i = 0; i < packages; i++) {
    const own = i % 10 === 0;
    const files = own ? `${privateIndex.replace(/\/simple$/, '')}/files` : `https://${PUBLIC_FILE_HOST}/packages`;
    const file = (n: number, end: string) =>
      `{ url = "${files}/${hash(i).slice(-32)}/package_${i}-1.${n}${end}", hash = "sha256:${hash(i * 100 + n)}", size = ${1000 + n}, upload-time = "2026-01-01T00:00:00.000Z" }`;
    const wheels = Array.from(
      { length: i % 7 === 0 ? 20 : 1 },
      (_, n) => `    ${file(n, '-cp312-cp312-manylinux_2_17_x86_64.whl')},`,
    );
    const needs = [1, 2, 3].filter((n) => i >= n).map((n) => `    { name = "package-${i - n}" },`);
    parts.push(
      `[[package]]\nname = "package-${i}"\nversion = "1.0"\nsource = { registry = "${own ? privateIndex : PUBLIC_REGISTRY}" }`,
      `dependencies = [\n${needs.join('\n')}\n]\nsdist = ${file(99, '.tar.gz')}\nwheels = [\n${wheels.join('\n')}\n]\n`,
    );
  }
  return parts.join('\n');
}
