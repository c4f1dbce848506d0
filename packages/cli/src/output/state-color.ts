const STATES: readonly (readonly [color: number, states: readonly string[]])[] = [
  [32, ['succeeded', 'scheduled']],
  [33, ['queued', 'running', 'cancelled', 'skipped', 'paused', 'waiting', 'waiting to start']],
  [31, ['failed', 'no run principal', 'run principal unusable']],
];

/** Colors a state for a terminal: green is fine, yellow isn't finished or doesn't happen, red needs attention. */
export function coloredState(state: string): string {
  const color = STATES.find(([, states]) => states.includes(state.toLowerCase()))?.[0];
  return color === undefined ? state : `\u001b[${color}m${state}\u001b[39m`;
}
