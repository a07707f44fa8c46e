/** What is wrong with a text that should be JSON, and where. Lines and columns count from 1. */
export interface JsonProblem {
  kind:
    | 'value'
    | 'string'
    | 'key'
    | 'colon'
    | 'separator'
    | 'trailing'
    | 'number'
    | 'end'
    | 'escape';
  line: number;
  column: number;
  /** The character found there; empty at the end of the text. */
  found: string;
}

/** The value of a JSON text (undefined for an empty one), or its first problem. */
export type ParsedJson = { ok: true; value: unknown } | { ok: false; problem: JsonProblem };

/**
 * Parses JSON with errors that name the place the same way in every browser: engines word
 * theirs differently, in English only, and not all say where.
 */
export function parseJson(text: string): ParsedJson {
  if (text.trim() === '') return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, problem: firstProblem(text) };
  }
}

class Stop extends Error {
  constructor(
    readonly kind: JsonProblem['kind'],
    readonly at: number,
  ) {
    super(kind);
  }
}

function firstProblem(text: string): JsonProblem {
  const reader = new Reader(text);
  try {
    reader.document();
  } catch (stop) {
    if (stop instanceof Stop) return place(text, stop.kind, stop.at);
    throw stop;
  }
  return place(text, 'value', 0);
}

function place(text: string, kind: JsonProblem['kind'], at: number): JsonProblem {
  const before = text.slice(0, at);
  return {
    kind: at >= text.length ? 'end' : kind,
    line: before.split('\n').length,
    column: at - before.lastIndexOf('\n'),
    found: text[at] ?? '',
  };
}

class Reader {
  private at = 0;
  constructor(private readonly text: string) {}

  document(): void {
    this.value();
    this.space();
    if (this.at < this.text.length) throw new Stop('trailing', this.at);
  }

  private value(): void {
    this.space();
    const c = this.text[this.at];
    if (c === '{') this.object();
    else if (c === '[') this.array();
    else if (c === '"') this.string();
    else if (!this.match(/(?:true|false|null)\b/y)) this.number();
  }

  private object(): void {
    this.at++;
    if (this.take('}')) return;
    do {
      this.space();
      if (this.text[this.at] !== '"') throw new Stop('key', this.at);
      this.string();
      if (!this.take(':')) throw new Stop('colon', this.at);
      this.value();
    } while (this.take(','));
    if (!this.take('}')) throw new Stop('separator', this.at);
  }

  private array(): void {
    this.at++;
    if (this.take(']')) return;
    do this.value();
    while (this.take(','));
    if (!this.take(']')) throw new Stop('separator', this.at);
  }

  private string(): void {
    this.at++;
    this.match(/(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/uy);
    if (this.text[this.at] === '"') this.at++;
    else throw new Stop(this.text[this.at] === '\\' ? 'escape' : 'string', this.at);
  }

  private number(): void {
    const start = this.at;
    if (!this.match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y)) {
      throw new Stop('value', start);
    }
    if (/[\w.]/.test(this.text[this.at] ?? '')) throw new Stop('number', start);
  }

  private take(char: string): boolean {
    this.space();
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  private match(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return false;
    this.at += found[0].length;
    return true;
  }

  private space(): void {
    this.match(/[ \t\r\n]*/y);
  }
}
