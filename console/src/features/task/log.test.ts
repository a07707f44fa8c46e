import { makeLine } from '@mock/factories';
import { describe, expect, it, test } from 'vitest';
import { ansiPieces, withoutAnsi } from './ansi';
import { isLater, LogLines, type SentLine } from './log-lines';
import { marked } from './log-message';
import { fieldsText, type LogFilter, LogRows, streamOf } from './log-rows';
import { lineText, sinceText } from './log-text';

const lines = (...sent: SentLine[]) => LogLines.empty().add(sent);
const all: LogFilter = { from: 'DEBUG', text: '', only: false };
const rowsOf = (log: LogLines, filter: LogFilter) => new LogRows().update(log, filter);

describe('LogLines', () => {
  it('takes each line once, in order, however often it comes', () => {
    const log = lines(makeLine(1), makeLine(2)).add([makeLine(2), makeLine(3), makeLine(1)]);
    expect(log.lines.map((line) => line.seq)).toEqual(['1', '2', '3']);
    expect(log.add([makeLine(3)])).toBe(log);
  });

  it('lets the oldest go beyond its bound and counts them', () => {
    const log = LogLines.empty()
      .add(
        [1, 2, 3, 4, 5].map((n) => makeLine(n)),
        3,
      )
      .add([makeLine(6)], 3);
    expect(log.lines.map((line) => line.seq)).toEqual(['4', '5', '6']);
    expect(log.dropped).toBe(3);
  });

  it('keeps a hundred thousand lines and no more', () => {
    let log = LogLines.empty();
    for (let page = 0; page < 101; page++) {
      log = log.add(Array.from({ length: 1_000 }, (_, i) => makeLine(page * 1_000 + i + 1)));
    }
    expect(log.lines).toHaveLength(100_000);
    expect(log.dropped).toBe(1_000);
    expect(log.last?.seq).toBe('101000');
  });

  it('bounds the characters too', () => {
    const huge = 'x'.repeat(20_000_000);
    const log = lines(...[1, 2, 3].map((n) => makeLine(n, { message: huge })));
    expect(log.lines.map((line) => line.seq)).toEqual(['2', '3']);
  });

  it('compares positions beyond 2^53', () => {
    expect(isLater('9007199254740993', '9007199254740992')).toBe(true);
    expect(isLater('10', '9')).toBe(true);
    expect(isLater('9', '9')).toBe(false);
  });
});

describe('LogRows', () => {
  it('puts a head before each attempt and a mark where lines are missing', () => {
    const { rows } = rowsOf(lines(makeLine(1), makeLine(5), makeLine(900, { attempt: 2 })), all);
    expect(rows.map((row) => row.kind)).toEqual([
      'attempt',
      'line',
      'gap',
      'line',
      'attempt',
      'line',
    ]);
    expect(rows[2]).toMatchObject({ missing: 3 });
  });

  it('filters by level and text, in messages and fields, in either case', () => {
    const log = lines(
      makeLine(1, { level: 'debug', message: 'Reading' }),
      makeLine(2, { level: 'WARN', message: 'slow', fields: { Bank: 'ICBC' } }),
      makeLine(3, { level: 'ERROR', message: 'refused' }),
      makeLine(4, { level: 'odd', message: 'what' }),
    );
    const seqs = (from: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR', text: string) =>
      rowsOf(log, { from, text, only: true }).rows.flatMap((row) =>
        row.kind === 'line' ? [row.key] : [],
      );
    expect(seqs('INFO', '')).toEqual(['2', '3', '4']);
    expect(seqs('WARN', '')).toEqual(['2', '3']);
    expect(seqs('DEBUG', 'icbc')).toEqual(['2']);
    expect(seqs('DEBUG', ' READ ')).toEqual(['1']);
    expect(seqs('ERROR', 'slow')).toEqual([]);
    expect(rowsOf(log, all).errors).toEqual([3]);
    expect(rowsOf(log, { ...all, text: 'icbc' }).matches).toEqual([2]);
  });
});

describe('LogRows that grow', () => {
  const view = ({ rows, shown, matches, errors }: ReturnType<LogRows['update']>) => ({
    rows: rows.map((row) => row.key),
    shown,
    matches,
    errors,
  });

  it('are the same as if made at once, while lines come and the oldest go', () => {
    const filter: LogFilter = { from: 'DEBUG', text: '7', only: false };
    for (const only of [false, true]) {
      const growing = new LogRows();
      let log = LogLines.empty();
      for (let n = 0; n < 60; n++) {
        const attempt = 1 + Math.floor(n / 25);
        const line = makeLine(attempt * 1_000 + n * (n % 7 === 0 ? 2 : 1), {
          attempt,
          level: n % 10 === 3 ? 'ERROR' : 'INFO',
          message: `line ${n}`,
        });
        log = log.add([line], 20);
        const grown = view(growing.update(log, { ...filter, only }));
        const fresh = view(rowsOf(log, { ...filter, only }));
        // A mark of missing lines before the first one tells nothing.
        expect(grown).toEqual(fresh);
      }
    }
  });

  it('keep what was handed out', () => {
    const source = new LogRows();
    const first = lines(makeLine(1));
    const before = source.update(first, all).rows;
    source.update(first.add([makeLine(2)]), all);
    expect(before).toHaveLength(2);
  });
});

test('searched text is marked across colours', () => {
  const parts = marked(ansiPieces('a pay\x1b[31mment\x1b[0m payment'), 'payment');
  expect(parts.map(({ piece, hit }) => [piece.text, hit])).toEqual([
    ['a ', false],
    ['pay', true],
    ['ment', true],
    [' ', false],
    ['payment', true],
  ]);
});

test('the stream of a command is no field among others', () => {
  expect(streamOf({ stream: 'stderr', a: 1 })).toEqual({ stream: 'stderr', rest: { a: 1 } });
  expect(streamOf({ stream: 'stdout' })).toEqual({ stream: 'stdout', rest: null });
  expect(streamOf({ stream: 'Amazon' })).toEqual({ stream: null, rest: { stream: 'Amazon' } });
  expect(streamOf(null)).toEqual({ stream: null, rest: null });
});

test('times since the attempt began', () => {
  const from = '2026-11-30T07:20:00.000Z';
  expect(sinceText('2026-11-30T07:20:01.204Z', from)).toBe('+0:01.204');
  expect(sinceText('2026-11-30T09:20:03Z', from)).toBe('+2:00:03.000');
  expect(sinceText('2026-11-30T07:19:00Z', from)).toBe('+0:00.000');
});

describe('ANSI colours', () => {
  it('are the 256 and true ones too, and nothing but colours', () => {
    const style = (text: string) => {
      const [piece] = ansiPieces(text);
      return [piece?.colour, piece?.back, piece?.inverse];
    };
    expect(style('\x1b[38;5;196mx')).toEqual(['#ff0000', null, false]);
    expect(style('\x1b[48;5;244;38;5;9mx')).toEqual(['red', '#808080', false]);
    expect(style('\x1b[38;2;1;2;255;7mx')).toEqual(['#0102ff', null, true]);
    expect(style('\x1b[38;2;1;2;999mx')).toEqual([null, null, false]);
    expect(style('\x1b[38;5;300mx')).toEqual([null, null, false]);
    expect(style('\x1b[41mx')).toEqual([null, 'red', false]);
  });

  it('become styled runs', () => {
    const pieces = ansiPieces('a \x1b[1;31mred\x1b[0m \x1b[92mgreen\x1b[39m b');
    expect(pieces.map((p) => [p.text, p.colour, p.bold])).toEqual([
      ['a ', null, false],
      ['red', 'red', true],
      [' ', null, false],
      ['green', 'green', false],
      [' b', null, false],
    ]);
  });

  test.each([
    ['other sequences', '\x1b[2K\x1b[1Adone\x1b]0;title\x07', 'done'],
    ['a title that links', '\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\', 'text'],
    ['other controls', 'a\x00b\x08c\x7f', 'abc'],
    ['a progress bar', '10%\r50%\r100%\nend\r\n', '100%\nend\n'],
    ['a cut sequence', 'x\x1b[', 'x['],
    ['markup', '<b onclick=x>', '<b onclick=x>'],
    ['256 colours', '\x1b[38;5;200mx\x1b[38;2;1;2;3my', 'xy'],
  ])('leaves out or keeps: %s', (_name, text, plain) => {
    expect(withoutAnsi(text)).toBe(plain);
    expect(
      ansiPieces(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(plain);
  });
});

test('a line as text', () => {
  const line = makeLine(1, {
    level: 'WARN',
    message: '\x1b[33mslow\x1b[0m',
    fields: { bank: 'ICBC', note: 'two words', ms: 12, ok: true },
  });
  expect(lineText(line)).toBe(
    '2026-11-30T07:20:01.25Z WARN  slow bank=ICBC note="two words" ms=12 ok=true',
  );
  expect(fieldsText([1])).toBe('[1]');
  expect(fieldsText(null)).toBe('');
});
