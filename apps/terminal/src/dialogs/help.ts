/** The help: all keys and commands on one screen. */
import type { Command } from '../editor/completion.ts';
import { type Line, line, span } from '../text/line.ts';
import { fit, pad } from '../text/wrap.ts';
import { type DialogSize, framed } from './frame.ts';

const KEYS: readonly (readonly [string, string])[] = [
  ['Enter', 'send'],
  ['Shift- or Alt-Enter, \\ Enter, Ctrl-J', 'new line'],
  ['↑ ↓', 'move; at the edge, what was sent before'],
  ['↑ in an empty input', 'takes the last message back that waits'],
  ['Alt-← Alt-→, Ctrl-A Ctrl-E', 'by word; start and end of the line'],
  ['Ctrl-W Ctrl-U Ctrl-K, Ctrl-Y', 'cut word, to start, to end; put it back'],
  ['Ctrl-_', 'undo'],
  ['Ctrl-R', 'search what was sent before'],
  ['Ctrl-G', 'edit the text in $VISUAL or $EDITOR'],
  ['Ctrl-S', 'send; it goes in after the present step'],
  ['Ctrl-Z', 'stop this program; the shell goes on with it'],
  ['Shift-Tab', 'ask about changes, accept edits, or plan only'],
  ['!command', 'run it yourself; its output goes along'],
  ['?', 'this help, in an empty input'],
  ['Ctrl-V', 'paste an image from the clipboard'],
  ['@', 'complete a file, or name a chat'],
  ['Tab', 'take the completion'],
  ['Ctrl-O', 'unfold thinking and results, or fold them'],
  ['Esc', 'cancel the turn; in a dialog: deny, or close'],
  ['Esc Esc', 'go back to before a message'],
  ['Ctrl-C, Ctrl-D', 'cancel or leave; leave'],
];
const KEY_WIDTH = 38;

/** @param scrolled the index of the first line that is shown */
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
  return framed('Help', rows.slice(from, from + room), '↑↓ scroll · any other key closes', size);
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
