const PATHS = {
  catalog:
    'M2.5 4c0-1 2.5-1.8 5.5-1.8s5.5.8 5.5 1.8-2.5 1.8-5.5 1.8S2.5 5 2.5 4Zm0 0v8c0 1 2.5 1.8 5.5 1.8s5.5-.8 5.5-1.8V4M2.5 8c0 1 2.5 1.8 5.5 1.8S13.5 9 13.5 8',
  sql: 'm3 4.5 3.5 3.5L3 11.5M8.5 12h4.5',
  runs: 'M4.5 2.8v10.4L13 8 4.5 2.8Z',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14',
  chevrons: 'm5 6 3-3 3 3M5 10l3 3 3-3',
  copy: 'M6 6h7.5v7.5H6zM10 3.5V2.5H2.5V10h1',
  check: 'm3 8.5 3.2 3.2L13 4.5',
  table: 'M2.5 3h11v10h-11zM2.5 6.5h11M7 6.5V13',
  folder: 'M2 4.5V12a1 1 0 0 0 1 1h10a1 1 0 0 0 1-1V6a1 1 0 0 0-1-1H8L6.5 3.2H3A1 1 0 0 0 2 4.2Z',
  column: 'M5 2.5h6v11H5z',
  alert: 'M8 5.5v3M8 11v.1M7.1 2.6 1.7 12a1 1 0 0 0 .9 1.5h10.8a1 1 0 0 0 .9-1.5L8.9 2.6a1 1 0 0 0-1.8 0Z',
  lock: 'M4 7.5h8V13H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  user: 'M8 8a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 8 8Zm-5 5.5c.6-2.2 2.6-3.5 5-3.5s4.4 1.3 5 3.5',
  close: 'm4 4 8 8M12 4l-8 8',
  undo: 'M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M3 6.5 6 3.5M3 6.5l3 3',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-9v3l2 1.5',
  download: 'M8 2.5v7.5m-3-3 3 3 3-3M3 13.5h10',
  lines: 'M3 5h10M3 8h10M3 11h6',
  lineage: 'M2 6.2h4v3.6H2zM10 2.5h4v3.6h-4zM10 9.9h4v3.6h-4zM6 8h1.5c1 0 1-3.7 2.5-3.7M7.5 8c1 0 1 3.7 2.5 3.7',
  up: 'M8 13V3.5m-4 4 4-4 4 4',
  down: 'M8 3v9.5m-4-4 4 4 4-4',
  chart: 'M2.5 2.5v11h11M5.5 10.5V8M8.5 10.5V5M11.5 10.5V7',
  plus: 'M8 3.5v9M3.5 8h9',
  minus: 'M3.5 8h9',
  fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
