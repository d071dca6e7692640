/** Links past the navigation, first in the order of Tab and visible while they have the focus. */
import type { MouseEvent } from 'react';
import { useLocation } from 'wouter';
import { MESSAGE_ID } from '../base/focus-message.ts';

/** The id of the main part of the page. */
export const CONTENT_ID = 'content';

export function SkipLinks() {
  const [path] = useLocation();
  const isChat = path.startsWith('/chats/');
  return (
    <div className="skip-links">
      <a href={`#${CONTENT_ID}`} onClick={focusTarget}>
        {isChat ? 'Skip to conversation' : 'Skip to content'}
      </a>
      {isChat || path === '/' ? (
        <a href={`#${MESSAGE_ID}`} onClick={focusTarget}>
          Skip to message box
        </a>
      ) : null}
    </div>
  );
}

/** Moves the focus without changing the address, whose hash names a message. */
function focusTarget(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault();
  const target = document.getElementById(event.currentTarget.hash.slice(1));
  // The element that scrolls, so that the arrow keys scroll it.
  const scroller = target?.querySelector<HTMLElement>('[role="log"], .page-body');
  (scroller ?? target)?.focus();
}
