/** Binds the keys that work anywhere, and shows the dialogs that they open. */
import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { focusMessage } from '../base/focus-message.ts';
import { isPressed, isTyping, type ShortcutName } from '../base/shortcuts.ts';
import { useKeys } from '../parts/use-keys.ts';
import { Palette } from './palette.tsx';

const ShortcutList = lazy(() => import('./shortcut-list.tsx'));

export function GlobalKeys() {
  const [shown, setShown] = useState<'commands' | 'shortcuts' | null>(null);
  const [, go] = useLocation();
  const newChat = () => {
    go('/');
    // The message box of another page is not the one to focus.
    requestAnimationFrame(focusMessage);
  };
  const close = () => setShown(null);
  const toggle = (dialog: 'commands' | 'shortcuts') =>
    setShown(now => {
      // A dialog of the page keeps the keys until it is closed.
      if (now === null && document.querySelector('dialog:modal')) return now;
      return now === dialog ? null : dialog;
    });
  const actions: Partial<Record<ShortcutName, () => void>> = {
    commands: () => toggle('commands'),
    shortcuts: () => toggle('shortcuts'),
    newChat,
    message: focusMessage,
  };
  // First, so that Shift+Esc does not also count as the Esc that denies a request.
  useKeys(event => {
    const name = (Object.keys(actions) as ShortcutName[]).find(each => isPressed(event, each));
    if (name === undefined || event.isComposing || (name === 'shortcuts' && isTyping(event.target))) return;
    if (name !== 'commands' && name !== 'shortcuts' && document.querySelector('dialog:modal')) return;
    event.preventDefault();
    actions[name]?.();
  }, true);
  if (shown === 'commands') {
    return <Palette onShortcuts={() => setShown('shortcuts')} onNewChat={newChat} onClose={close} />;
  }
  if (shown === null) return null;
  return (
    <Suspense fallback={null}>
      <ShortcutList onClose={close} />
    </Suspense>
  );
}
