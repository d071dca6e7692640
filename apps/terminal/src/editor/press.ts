/** A key press, independent of the terminal's protocol. */
import type { Key } from 'ink';

export type KeyName =
  | 'text'
  | 'enter'
  | 'newline'
  | 'escape'
  | 'tab'
  | 'backspace'
  | 'delete'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'pageup'
  | 'pagedown';

export interface Press {
  readonly name: KeyName;
  /** Characters of a `text` press, otherwise empty. With ctrl or alt, the lower-case letter. */
  readonly text: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** Makes a press: `press('text', 'a')`, `press('left', '', { alt: true })`. */
export const press = (name: KeyName, text = '', held: Partial<Press> = {}): Press => ({
  ctrl: false,
  alt: false,
  shift: false,
  ...held,
  name,
  text,
});

/**
 * Converts a key of Ink into presses. Keys that arrive together form one text. Each line break in it is an
 * Enter, because pastes arrive separately.
 */
export function parsePresses(input: string, key: Key): Press[] {
  if (key.eventType === 'release') return [];
  const held = { ctrl: key.ctrl, alt: key.meta && !key.escape, shift: key.shift };
  if (key.return) return [press(held.shift || held.alt || held.ctrl ? 'newline' : 'enter')];
  for (const [flag, name] of NAMED) if (key[flag]) return [press(name, '', held)];
  if (input === '') return [];
  if (key.ctrl) return input === 'j' ? [press('newline')] : [press('text', input.toLowerCase(), held)];
  if (held.alt) return /^[\r\n]$/.test(input) ? [press('newline')] : [press('text', input, held)];
  if (input === '\n') return [press('newline')];
  return input
    .split(/(\r\n?|\n)/)
    .filter(each => each !== '')
    .map(each => (/^[\r\n]/.test(each) ? press('enter') : press('text', each)));
}

const NAMED = [
  ['escape', 'escape'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['home', 'home'],
  ['end', 'end'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
] as const satisfies readonly (readonly [keyof Key, KeyName])[];
