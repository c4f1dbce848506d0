import type { ReactNode } from 'react';
import { Command } from './copy.tsx';

interface PageHeaderProps {
  crumbs?: readonly ReactNode[];
  title: ReactNode;
  badges?: ReactNode;
  actions?: ReactNode;
  command: string;
  children?: ReactNode;
}

/** What every page starts with: where it is, its name, what can be done, and the command that does the same. */
export function PageHeader({ crumbs = [], title, badges, actions, command, children }: PageHeaderProps) {
  return (
    <header>
      {crumbs.length === 0 ? null : (
        <nav className="crumbs" aria-label="Breadcrumbs">
          <ol>
            {crumbs.map((crumb, index) => (
              <li key={index}>{crumb}</li>
            ))}
          </ol>
        </nav>
      )}
      <div className="row spread">
        <div className="row">
          <h1>{title}</h1>
          {badges}
        </div>
        {actions === undefined ? null : <div className="row">{actions}</div>}
      </div>
      {children}
      <div>
        <Command>{command}</Command>
      </div>
    </header>
  );
}
