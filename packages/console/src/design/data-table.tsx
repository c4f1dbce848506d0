import type { ReactNode } from 'react';

interface DataTableProps {
  /** The titles of the columns; with class names, if the column has some. */
  columns: readonly (string | readonly [title: ReactNode, className: string])[];
  className?: string;
  /** The rows. */
  children: ReactNode;
}

/** A table that scrolls sideways if it has to. */
export function DataTable({ columns, className = '', children }: DataTableProps) {
  const titles = columns.map((column) => (typeof column === 'string' ? ([column, undefined] as const) : column));
  return (
    <div className="scroll-x">
      <table className={`table ${className}`}>
        <thead>
          <tr>
            {titles.map(([title, classes], index) => (
              <th key={index} className={classes}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** The title of a column with buttons. */
export const ACTIONS = [
  <span key="actions" className="hidden">
    Actions
  </span>,
  'fit',
] as const;
