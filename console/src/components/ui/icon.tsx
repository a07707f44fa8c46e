// Line icons on a 16-unit grid, drawn for this console. Shape alone tells states apart.
const paths = {
  overview: 'M2.5 9.5h3v4h-3zM6.5 5.5h3v8h-3zM10.5 2.5h3v11h-3z',
  jobs: 'M8 2.5a3.5 3.5 0 0 0-3.5 3.5v2.5L3 11h10l-1.5-2.5V6A3.5 3.5 0 0 0 8 2.5zM6.5 13.5h3',
  tasks: 'M6 4h7.5M6 8h7.5M6 12h7.5M2.5 4h.6M2.5 8h.6M2.5 12h.6',
  failedQueue: 'M2.5 9.5h3l1 2h3l1-2h3M2.5 9.5v4h11v-4l-2-6h-7zM8 4.5v2.5',
  calendars: 'M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.5V5M10.5 2.5V5',
  nodes: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.1M5 11h.1',
  servers: 'M8 1.8l5.3 3.1v6.2L8 14.2l-5.3-3.1V4.9zM2.9 5L8 8l5.1-3M8 8v6',
  apps: 'M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3l3.2 3.2',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.5l3.3 3.3L13 4.8',
  plus: 'M8 3v10M3 8h10',
  play: 'M5 3v10l8-5z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  edit: 'M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3zM9 4.7L11.3 7',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9M6.8 7v4M9.2 7v4',
  dots: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  chevronDown: 'M4 6l4 4 4-4',
  chevronRight: 'M6 4l4 4-4 4',
  chevronLeft: 'M10 4L6 8l4 4',
  first: 'M11 4L7 8l4 4M5 4v8',
  sun: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1',
  user: 'M8 2.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4zM2.8 13.5c.5-2.6 2.5-4 5.2-4s4.7 1.4 5.2 4',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5h.1M6.7 6.5h.1M9.3 6.5h.1M12 6.5h.1M5 9.5h6',
  calendar: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3M6 9l4 3M10 9l-4 3',
  backfill: 'M7.5 4L3 8l4.5 4zM13 4L8.5 8l4.5 4z',
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 4.8V8l2.3 1.6',
  warning: 'M8 2.3L1.8 13.2h12.4zM8 6.3v3.2M8 11.4v.1',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.2v3.8M8 5v.1',
  question:
    'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM6.3 6.4a1.8 1.8 0 1 1 2.6 1.7c-.6.3-.9.6-.9 1.2M8 11.3v.1',
  filter: 'M2.5 3.5h11L9.5 8.5v4l-3 1v-5z',
  external: 'M6.5 3.5h-3v9h9v-3M9 2.5h4.5V7M13.5 2.5l-6 6',
  waiting:
    'M4.5 2.5h7M4.5 13.5h7M5 2.5c0 3 6 4.5 6 5.5s-6 2.5-6 5.5M11 2.5c0 3-6 4.5-6 5.5s6 2.5 6 5.5',
  running: 'M8 2a6 6 0 1 1-6 6M6.5 5.5v5l4-2.5z',
  retrying: 'M13 8a5 5 0 1 1-1.5-3.5M13 2.5v3h-3',
  failed: 'M5.3 2h5.4L14 5.3v5.4L10.7 14H5.3L2 10.7V5.3zM5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4',
  cancelled: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM3.8 12.2l8.4-8.4',
  skipped: 'M3 3.5v9l6-4.5zM12 3.5v9',
  discarded: 'M3 4.5h10M4.5 4.5l.5 9h6l.5-9M6 2.5h4',
  timedOut: 'M8 3.5a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM8 6v2.5l1.5 1.5M6.5 1.5h3M12.5 3l1 1',
  lost: 'M2 6c3.5-3.3 8.5-3.3 12 0M4.5 8.7c2-1.9 5-1.9 7 0M2.5 2.5l11 11M8 12v.1',
  online: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM5.7 8.2l1.7 1.7 3-3.4',
  draining: 'M3 3h10L8.7 8.3V13l-1.4-1V8.3z',
  dispatched: 'M2.5 8h9M8 4.5L11.5 8 8 11.5M13.5 3.5v9',
  download: 'M8 2.5v7.5M4.8 7L8 10.2 11.2 7M2.5 13.5h11',
  wrap: 'M2.5 4h11M2.5 8h9a2 2 0 0 1 0 4H8M9.8 10L7.8 12l2 2M2.5 12h2.5',
  alerts: 'M4 11.5V9a4 4 0 0 1 8 0v2.5M2.5 13.5h11M8 1.8v1.4M2.6 4.2l1 1M13.4 4.2l-1 1M8 7.5v2',
  report: 'M4 2.5h5.5l2.5 3v8H4zM9.5 2.5v3H12M6 8.5h4M6 11h4',
  silence: 'M2.5 6H5l3.5-3v10L5 10H2.5zM11 6l3 4M14 6l-3 4',
  send: 'M2.5 8L13.5 2.5 10 13.5 7.5 9zM7.5 9l6-6.5',
  comment: 'M2.5 3h11v8H7.2L4 13.5V11H2.5z',
  key: 'M5 6.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM6.8 7.2l5.7-4.2M10.5 4.5l1.5 2',
  shield: 'M8 1.8l5 1.8v4.2c0 3-2 5.3-5 6.4-3-1.1-5-3.4-5-6.4V3.6zM5.8 7.9l1.6 1.6 2.9-3.2',
} as const;

export type IconName = keyof typeof paths;

/** An icon beside a word, or inside a button that has a label: it says nothing by itself to a screen reader. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: 'none' }}
    >
      <path d={paths[name]} />
    </svg>
  );
}
