// The types of audit events.
import { EVENT_TYPES, EVENTS } from '../../packages/core/src/audit/index.ts';
import { page, table } from './markdown/table.mjs';

function field(name, note) {
  return note === undefined ? `\`${name}\`` : `\`${name}\` (${note})`;
}

function row(type) {
  const { recorded, fields, content = [], notes = {} } = EVENTS[type];
  return [`\`${type}\``, recorded, [...fields, ...content].map((name) => field(name, notes[name])).join(', ')];
}

export default [
  {
    file: 'docs/reference/events.md',
    generate: () =>
      page(
        'Events',
        'Every change writes its event in the same transaction, so there is no change without an event and no event without a change. See [audit](../guide/audit.md) for how to read them.',
        'An event is `{id, sequence, time, type, principal, principal_id, object, request_id, detail}`. `object` is `{kind, environment, namespace, table}`, with names. No event contains a credential. A break-glass change in a protected environment has its reason in the `break_glass` field of `detail`.',
        'The list is closed. Events of features that a version does not have yet never occur in it.',
        table(['Type', 'Written when', 'In `detail`'], EVENT_TYPES.map(row)),
      ),
  },
];
