import { MAX_LOCATION } from '@svc/core/catalog';
import { trimEnd } from '@svc/core/contract';
import { object, type TableUpdate, text, UpdateRejectedError } from './draft.ts';

/** The common part of table and view drafts. */
interface PropertiesDraft {
  metadata: { readonly properties?: Readonly<Record<string, string>> };
  ownProperties: Record<string, string> | null;
}

export function setProperties(draft: PropertiesDraft, update: TableUpdate): void {
  const value = object(update, 'updates');
  if (Object.values(value).some((v) => typeof v !== 'string'))
    throw new UpdateRejectedError('Property values are texts.');
  if (Object.hasOwn(value, '__proto__')) throw new UpdateRejectedError('A property cannot be called __proto__.');
  Object.assign(propertiesOf(draft), value);
}

export function removeProperties(draft: PropertiesDraft, update: TableUpdate): void {
  const names = update['removals'];
  if (!Array.isArray(names)) throw new UpdateRejectedError('"removals" must be a list of property names.');
  const properties = propertiesOf(draft);
  for (const name of names) delete properties[name as string];
}

/** The draft's own copy, created once: a copy per update would take quadratic time for many updates. */
function propertiesOf(draft: PropertiesDraft): Record<string, string> {
  if (draft.ownProperties === null) {
    draft.ownProperties = { ...draft.metadata.properties };
    draft.metadata = { ...draft.metadata, properties: draft.ownProperties };
  }
  return draft.ownProperties;
}

/** The location in `set-location`, without trailing slashes. */
export function locationOf(update: TableUpdate): string {
  const location = text(update, 'location');
  if (location.length > MAX_LOCATION)
    throw new UpdateRejectedError(`A location has at most ${MAX_LOCATION} characters.`);
  return trimEnd(location, '/');
}
