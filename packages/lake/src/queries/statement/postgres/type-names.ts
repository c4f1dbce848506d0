import type { Node } from '../guard-error.ts';
import { foldName } from '../names.ts';

/** The name of a type as written, in lower case. */
export function typeName(type: Node): string {
  const info = type['type_info'] as Node | null;
  return foldName(String(type['id'] === 'UNBOUND' ? info?.['name'] : type['id']));
}
