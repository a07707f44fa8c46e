/** Colours of a terminal, by name; bright ones are the same here. */
export const ansiColours = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
] as const;
export type AnsiColour = (typeof ansiColours)[number];

/** A colour by name, which the theme draws, or as `#rrggbb`. */
export type Colour = AnsiColour | `#${string}`;

/** A run of text in one style. */
export interface Piece {
  text: string;
  colour: Colour | null;
  back: Colour | null;
  /** Text and back change places. */
  inverse: boolean;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
}

type Style = Omit<Piece, 'text'>;

const plain: Style = {
  colour: null,
  back: null,
  inverse: false,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
};

// CSI sequences (SGR is the one that ends in m), OSC sequences, and other two-character escapes.
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this is about
const sequence = /\x1b\[([0-9;:?<=>]*)[ -/]*([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[^[\]]?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above; tab and newline stay
const control = /[\x00-\x08\x0b-\x1f\x7f]/g;

/** Splits a text with ANSI colours into runs; every other control is dropped. Never makes HTML. */
export function ansiPieces(text: string): Piece[] {
  const source = lastOverwrite(text);
  const pieces: Piece[] = [];
  let style = plain;
  let from = 0;
  const push = (until: number) => {
    const run = source.slice(from, until).replace(control, '');
    if (run !== '') pieces.push({ text: run, ...style });
  };
  for (const match of source.matchAll(sequence)) {
    push(match.index);
    from = match.index + match[0].length;
    if (match[2] === 'm') style = apply(style, match[1] ?? '');
  }
  push(source.length);
  return pieces;
}

/** The text without escapes and other controls. */
export function withoutAnsi(text: string): string {
  return lastOverwrite(text).replace(sequence, '').replace(control, '');
}

// A progress bar writes over itself by \r: only what it wrote last is seen.
function lastOverwrite(text: string): string {
  if (!text.includes('\r')) return text;
  return text
    .split('\n')
    .map((line) => line.replace(/\r+$/, '').replace(/^.*\r/s, ''))
    .join('\n');
}

function apply(style: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map(Number);
  let next = style;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    // 38 and 48 take 5;n (one of 256) or 2;r;g;b.
    if (code === 38 || code === 48) {
      const indexed = codes[i + 1] === 5;
      const colour = indexed
        ? ofTable(codes[i + 2] ?? -1)
        : codes[i + 1] === 2
          ? hex(codes.slice(i + 2, i + 5))
          : null;
      next = code === 38 ? { ...next, colour } : { ...next, back: colour };
      i += indexed ? 2 : 4;
    } else next = one(next, code);
  }
  return next;
}

const named = (index: number): AnsiColour | null =>
  index >= 0 && index < 16 ? (ansiColours[index % 8] ?? null) : null;

/** One of the 256: sixteen by name, a cube of 6 × 6 × 6, and 24 greys. */
function ofTable(index: number): Colour | null {
  if (index < 16) return named(index);
  if (index > 255) return null;
  if (index >= 232) return hex([0, 0, 0].map(() => 8 + 10 * (index - 232)));
  const step = (n: number) => (n === 0 ? 0 : 55 + 40 * n);
  const n = index - 16;
  return hex([step(Math.floor(n / 36)), step(Math.floor(n / 6) % 6), step(n % 6)]);
}

/** Three numbers as a colour; null unless each is one of 0 to 255. */
function hex(rgb: number[]): Colour | null {
  if (rgb.length !== 3 || rgb.some((n) => !Number.isInteger(n) || n < 0 || n > 255)) return null;
  return `#${rgb.map((n) => n.toString(16).padStart(2, '0')).join('')}`;
}

function one(style: Style, code: number): Style {
  if (code === 0) return plain;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 3) return { ...style, italic: true };
  if (code === 4) return { ...style, underline: true };
  if (code === 7) return { ...style, inverse: true };
  if (code === 27) return { ...style, inverse: false };
  if (code === 24) return { ...style, underline: false };
  if (code >= 40 && code <= 47) return { ...style, back: named(code - 40) };
  if (code >= 100 && code <= 107) return { ...style, back: named(code - 100) };
  if (code === 49) return { ...style, back: null };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 23) return { ...style, italic: false };
  if (code >= 30 && code <= 37) return { ...style, colour: named(code - 30) };
  if (code >= 90 && code <= 97) return { ...style, colour: named(code - 90) };
  if (code === 39) return { ...style, colour: null };
  return style;
}
