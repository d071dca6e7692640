/** How long commands print their progress: one line on a terminal, lines at a distance elsewhere. */
import { afterEach, expect, it, vi } from 'vitest';
import { ProgressLines } from '../src/commands/progress-lines.ts';

afterEach(() => vi.restoreAllMocks());

type Step = [ms: number, doing: string, done: number, total: number];

/** Returns what is printed for steps at these times. */
function print(steps: readonly Step[], { isTTY = false, quiet = false } = {}): string {
  let text = '';
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const write = (piece: string) => {
    text += piece;
    return true;
  };
  const lines = new ProgressLines({ isTTY, write } as never, quiet);
  lines.note('Begins.');
  for (const [ms, doing, done, total] of steps) {
    now.mockReturnValue(ms);
    lines.show({ doing, done, total });
  }
  for (let times = 0; times < 2; times++) lines.end();
  return text;
}

it.each<[string, Step[], object, string]>([
  ['nothing but the note without steps', [], {}, 'Begins.\n'],
  ['nothing if it is quiet', [[0, 'a', 1, 2]], { quiet: true }, ''],
  [
    'the last line of each kind of work in a file, and one every 10 s',
    [
      [0, 'a', 1, 9],
      [9999, 'a', 2, 9],
      [10_000, 'a', 3, 9],
      [19_999, 'a', 4, 9],
      [20_000, 'a', 9, 9],
      [20_001, 'b', 1, 2],
      [20_002, 'b', 2, 2],
    ],
    {},
    'Begins.\na: 3 of 9\na: 9\na: 9\nb: 2\n',
  ],
  [
    'one line on a terminal, at most every 100 ms, and its last state',
    [
      [0, 'a', 1, 9],
      [99, 'a', 2, 9],
      [100, 'a', 3, 9],
      [199, 'a', 9, 9],
      [200, 'b', 1, 9],
      [201, 'b', 2, 9],
    ],
    { isTTY: true },
    'Begins.\n\r\x1b[Ka: 3 of 9\r\x1b[Kb: 1 of 9\r\x1b[Kb: 2 of 9\n',
  ],
])('prints %s', (_, steps, options, text) => expect(print(steps, options)).toBe(text));
