/** Opens the find bar of a chat: Ctrl+F of the browser finds only the rows on the screen. */
import { useCallback, useState } from 'react';
import { isPressed } from '../base/shortcuts.ts';
import { useKeys } from '../parts/use-keys.ts';

interface Find {
  /** How often it was opened. 0: it is closed. */
  finding: number;
  find(): void;
  endFind(): void;
}

export function useFind(): Find {
  const [finding, setFinding] = useState(0);
  const find = useCallback(() => setFinding(count => count + 1), []);
  const endFind = useCallback(() => setFinding(0), []);
  useKeys(event => {
    if (!isPressed(event, 'find')) return;
    // A second press opens the browser's own find.
    if (document.activeElement?.closest('.find-bar') || document.querySelector('dialog:modal')) return;
    event.preventDefault();
    find();
  });
  return { finding, find, endFind };
}
