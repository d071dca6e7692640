/** Shows all keys and commands. */
import type { Command } from '../editor/completion.ts';
import { type Line, line, span } from '../text/line.ts';
import { fit, pad } from '../text/wrap.ts';
import { type DialogSize, framed } from './frame.ts';

const KEYS: readonly (readonly [string, string])[] = [
  ['Enter', 'send'],
  ['Shift- or Alt-Enter, \\ Enter, Ctrl-J', 'new line'],
  ['↑ ↓', 'move; at the edge, previous messages'],
  ['↑ in an empty input', 'edit the last queued message'],
  ['Alt-← Alt-→, Ctrl-A Ctrl-E', 'move by word; to start and end of line'],
  ['Ctrl-W Ctrl-U Ctrl-K, Ctrl-Y', 'cut word, to start, to end; paste it'],
  ['Ctrl-_', 'undo'],
  ['Ctrl-R', 'search previous messages'],
  ['Ctrl-G', 'edit the text in $VISUAL or $EDITOR'],
  ['Ctrl-S', 'send after the current step'],
  ['Ctrl-Z', 'suspend; resume from the shell with fg'],
  ['Shift-Tab', 'switch mode: ask, accept edits, plan only'],
  ['!command', 'run a command; attach its output'],
  ['?', 'show this help (in an empty input)'],
  ['Ctrl-V', 'paste an image from the clipboard'],
  ['@', 'complete a file path or a chat'],
  ['Tab', 'accept the completion'],
  ['Ctrl-O', 'expand or collapse thinking and results'],
  ['Esc', 'stop the turn; in a dialog: deny or close'],
  ['Esc Esc', 'rewind to an earlier message'],
  ['Ctrl-C, Ctrl-D', 'stop or exit; exit'],
];
const KEY_WIDTH = 38;

/** @param scrolled index of the first visible line */
export function helpLines(commands: readonly Command[], scrolled: number, size: DialogSize): Line[] {
  const rows = [
    ...KEYS.map(([key, about]) => row(key, about, size.width)),
    line(''),
    ...commands.map(({ name, takes, description }) =>
      row(`/${name} ${takes ?? ''}`.trim(), description, size.width),
    ),
  ];
  const room = Math.max(1, size.rows - 2);
  const from = Math.max(0, Math.min(scrolled, rows.length - room));
  return framed('Help', rows.slice(from, from + room), '↑↓ scroll · any other key to close', size);
}

const row = (name: string, about: string, width: number): Line =>
  fit(
    [
      ...pad([span(name, { bold: true })], Math.min(KEY_WIDTH, width >> 1)),
      span(' '),
      span(about, { dim: true }),
    ],
    width,
  );
