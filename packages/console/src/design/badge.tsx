export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'info';

/** A short state. The text says it too, because not everyone sees the color. */
export function Badge({ tone = 'plain', dot, children }: { tone?: Tone; dot?: 'still' | 'live'; children: string }) {
  return (
    <span className={`badge ${tone}`}>
      {dot === undefined ? null : <span className={`dot ${dot}`} aria-hidden="true" />}
      {children}
    </span>
  );
}
