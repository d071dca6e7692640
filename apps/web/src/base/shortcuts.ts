/** The keys of the page: what binds them and the dialog that lists them both read this table. */

interface Shortcut {
  /** Where the keys work; the heading in the dialog. */
  group: 'Anywhere' | 'Message box' | 'Commands' | 'Requests';
  /** Joined by `+`. `Mod` is Ctrl or ⌘. */
  keys: string;
  about: string;
}

export const SHORTCUTS = {
  commands: { group: 'Anywhere', keys: 'Mod+K', about: 'Search commands, chats and pages' },
  newChat: { group: 'Anywhere', keys: 'Mod+Shift+O', about: 'New chat' },
  find: { group: 'Anywhere', keys: 'Mod+F', about: 'Find in the chat; again: find of the browser' },
  print: { group: 'Anywhere', keys: 'Mod+P', about: 'Print the whole chat' },
  message: { group: 'Anywhere', keys: 'Shift+Escape', about: 'Go to the message box' },
  shortcuts: { group: 'Anywhere', keys: '?', about: 'List the keyboard shortcuts, except while you type' },
  send: { group: 'Message box', keys: 'Enter', about: 'Send (on touch screens: new line)' },
  sendNow: { group: 'Message box', keys: 'Mod+Enter', about: 'Send, also on touch screens' },
  newLine: { group: 'Message box', keys: 'Shift+Enter', about: 'New line' },
  editLast: {
    group: 'Message box',
    keys: 'ArrowUp',
    about: 'Edit your last message, while the box is empty',
  },
  slash: { group: 'Message box', keys: '/', about: 'Commands and skills, at the start of a message' },
  next: { group: 'Commands', keys: 'ArrowDown', about: 'Next entry' },
  previous: { group: 'Commands', keys: 'ArrowUp', about: 'Previous entry' },
  run: { group: 'Commands', keys: 'Enter', about: 'Run the selected entry' },
  feedback: { group: 'Requests', keys: 'f', about: 'Write feedback for the denial' },
  dismiss: {
    group: 'Requests',
    keys: 'Escape',
    about: 'Deny a request, discuss a question, close a dialog, discard a recording',
  },
} as const satisfies Readonly<Record<string, Shortcut>>;

export type ShortcutName = keyof typeof SHORTCUTS;

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** True if the event is exactly the keys of the shortcut. */
export function isPressed(event: Press, name: ShortcutName): boolean {
  const parts = SHORTCUTS[name].keys.split('+');
  const key = parts.at(-1) ?? '';
  // Which characters need Shift depends on the keyboard, so it counts only with letters and named keys.
  const isCharacter = key.length === 1 && !/[a-z]/i.test(key);
  return (
    event.key.toLowerCase() === key.toLowerCase() &&
    (event.ctrlKey || event.metaKey) === parts.includes('Mod') &&
    (isCharacter || event.shiftKey === parts.includes('Shift')) &&
    !event.altKey
  );
}

/** Returns the names of the keys, as printed on them. */
export const keyNames = (keys: string): readonly string[] =>
  keys.split('+').map(key => (key === 'Mod' ? modName() : (NAMES[key] ?? key)));

const NAMES: Readonly<Record<string, string>> = { Escape: 'Esc', ArrowDown: '↓', ArrowUp: '↑' };

const modName = (): string => (/Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl');

/** True if keys pressed there write text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input, textarea, select, [contenteditable]');
