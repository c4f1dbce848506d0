import { ACCESS_EVENTS } from './events/access.ts';
import type { EventDefinition } from './events/definition.ts';
import { ENVIRONMENT_EVENTS } from './events/environments.ts';
import { PROJECT_EVENTS } from './events/projects.ts';
import { TABLE_EVENTS } from './events/tables.ts';

const DEFINITIONS = { ...ACCESS_EVENTS, ...ENVIRONMENT_EVENTS, ...PROJECT_EVENTS, ...TABLE_EVENTS };

export type EventType = keyof typeof DEFINITIONS;

/** The definition of every type of audit event (AUDIT-1). */
export const EVENTS: Readonly<Record<EventType, EventDefinition>> = DEFINITIONS;

/** Every type of audit event, in alphabetical order. */
export const EVENT_TYPES = Object.keys(DEFINITIONS).sort() as EventType[];
