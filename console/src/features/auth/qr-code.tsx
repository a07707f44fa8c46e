import classes from './auth.module.css';

const quiet = 4;

/** Draws a QR code in the page itself; nobody else learns what is in it. Dark on light in both schemes, as readers need it. */
export function QrCode({ rows, label }: { rows: readonly string[]; label: string }) {
  const size = rows.length + 2 * quiet;
  const path = rows
    .flatMap((row, y) =>
      [...row].map((module, x) => (module === '1' ? `M${x + quiet} ${y + quiet}h1v1h-1z` : '')),
    )
    .join('');
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect className={classes.qrLight} width={size} height={size} />
      <path className={classes.qrDark} d={path} />
    </svg>
  );
}
