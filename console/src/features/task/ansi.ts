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

/** A run of text in one style. */
export interface Piece {
  text: string;
  colour: AnsiColour | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
}

type Style = Omit<Piece, 'text'>;

const plain: Style = { colour: null, bold: false, dim: false, italic: false, underline: false };

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
    // 38 and 48 take 5;n or 2;r;g;b: the sixteen named colours are kept, others stay plain.
    if (code === 38 || code === 48) {
      const indexed = codes[i + 1] === 5;
      if (code === 38) next = { ...next, colour: indexed ? named(codes[i + 2] ?? -1) : null };
      i += indexed ? 2 : 4;
    } else next = one(next, code);
  }
  return next;
}

const named = (index: number): AnsiColour | null =>
  index >= 0 && index < 16 ? (ansiColours[index % 8] ?? null) : null;

function one(style: Style, code: number): Style {
  if (code === 0) return plain;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 3) return { ...style, italic: true };
  if (code === 4) return { ...style, underline: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 23) return { ...style, italic: false };
  if (code === 24) return { ...style, underline: false };
  if (code >= 30 && code <= 37) return { ...style, colour: named(code - 30) };
  if (code >= 90 && code <= 97) return { ...style, colour: named(code - 90) };
  if (code === 39) return { ...style, colour: null };
  return style;
}
