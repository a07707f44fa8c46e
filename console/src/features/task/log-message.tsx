import type { CSSProperties } from 'react';
import { ansiPieces, type Piece } from './ansi';
import classes from './log.module.css';

/** A message in its colours, with what is searched for marked. Never makes HTML of it. */
export function Message({ text, needle }: { text: string; needle: string }) {
  const pieces = marked(ansiPieces(text), needle);
  return (
    <span className={classes.message}>
      {pieces.map(({ piece, hit }, i) => {
        const Tag = hit ? 'mark' : 'span';
        return (
          <Tag
            // biome-ignore lint/suspicious/noArrayIndexKey: the runs of one text never change places
            key={i}
            data-colour={nameOf(piece.colour)}
            data-back={nameOf(piece.back)}
            data-inverse={piece.inverse || undefined}
            data-bold={piece.bold || undefined}
            data-dim={piece.dim || undefined}
            data-italic={piece.italic || undefined}
            data-underline={piece.underline || undefined}
            style={styleOf(piece)}
          >
            {piece.text}
          </Tag>
        );
      })}
    </span>
  );
}

const nameOf = (colour: Piece['colour']) =>
  colour === null || colour.startsWith('#') ? undefined : colour;

// The theme's ink is mixed in, so that a colour made for a black screen can be read on a white one.
function styleOf(piece: Piece): CSSProperties | undefined {
  const { colour, back } = piece;
  const style: CSSProperties = {};
  if (colour?.startsWith('#')) style.color = `color-mix(in oklab, ${colour} 45%, var(--bf-ink))`;
  if (back?.startsWith('#')) {
    style.background = `color-mix(in oklab, ${back} 25%, var(--bf-surface))`;
  }
  return Object.keys(style).length === 0 ? undefined : style;
}

/** Parts runs where the searched text begins and ends; it may span several of them. */
export function marked(pieces: Piece[], needle: string): { piece: Piece; hit: boolean }[] {
  if (needle === '') return pieces.map((piece) => ({ piece, hit: false }));
  const whole = pieces
    .map((piece) => piece.text)
    .join('')
    .toLowerCase();
  const out: { piece: Piece; hit: boolean }[] = [];
  let start = 0;
  let at = whole.indexOf(needle);
  for (const piece of pieces) {
    const end = start + piece.text.length;
    let from = start;
    while (at >= 0 && at < end) {
      const stop = Math.min(at + needle.length, end);
      if (at > from) out.push({ piece: cut(piece, from - start, at - start), hit: false });
      out.push({ piece: cut(piece, Math.max(at, from) - start, stop - start), hit: true });
      from = stop;
      if (at + needle.length > end) break; // goes on in the next run
      at = whole.indexOf(needle, at + needle.length);
    }
    if (from < end) out.push({ piece: cut(piece, from - start, end - start), hit: false });
    start = end;
  }
  return out;
}

const cut = (piece: Piece, from: number, to: number): Piece => ({
  ...piece,
  text: piece.text.slice(from, to),
});
