import type { ReactNode } from 'react';

/** A part of the page with a title. */
export function Card({ title, more, children }: { title: string; more?: ReactNode; children: ReactNode }) {
  return (
    <section className="card" aria-label={title}>
      <div className="row spread toolbar">
        <h2>{title}</h2>
        {more}
      </div>
      {children}
    </section>
  );
}
