/** The chats and the other pages. */
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useStore } from '../base/store.ts';
import { classes } from '../base/words.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { ChatLinks } from './chat-links.tsx';
import { Found } from './found.tsx';
import { KernelState } from './kernel-state.tsx';
import { navOpen } from './nav-open.ts';

const PAGES: readonly { path: string; name: string; icon: IconName }[] = [
  { path: '/usage', name: 'Usage', icon: 'usage' },
  { path: '/modules', name: 'Modules', icon: 'module' },
  { path: '/machines', name: 'Machines', icon: 'machine' },
  { path: '/memory', name: 'Memory', icon: 'memory' },
  { path: '/persons', name: 'Persons', icon: 'person' },
  { path: '/videos', name: 'Videos', icon: 'video' },
  { path: '/books', name: 'Books', icon: 'book' },
  { path: '/schedules', name: 'Schedules', icon: 'clock' },
  { path: '/settings', name: 'Settings', icon: 'settings' },
];

export function Navigation() {
  const isOpen = useStore(navOpen);
  const [path, go] = useLocation();
  const [words, setWords] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever has gone somewhere wants to see it
  useEffect(() => navOpen.set(false), [path]);
  const newChat = () => {
    setWords('');
    navOpen.set(false);
    go('/');
  };
  return (
    <>
      <nav className={classes('nav', isOpen && 'open')} aria-label="Chats">
        <div className="nav-head">
          <button type="button" className="new-chat" onClick={newChat}>
            <Icon name="plus" /> New chat
          </button>
          <button
            type="button"
            className="quiet square nav-close"
            aria-label="Close"
            onClick={() => navOpen.set(false)}
          >
            <Icon name="close" />
          </button>
        </div>
        <div className="search">
          <Icon name="search" />
          <input
            type="search"
            aria-label="Search"
            placeholder="Search"
            value={words}
            onChange={event => setWords(event.target.value)}
          />
        </div>
        <div className="nav-list">{words.trim() ? <Found words={words.trim()} /> : <ChatLinks />}</div>
        <KernelState />
        <ul className="pages">
          {PAGES.map(({ path: to, name, icon }) => (
            <li key={to}>
              <Link href={to} aria-current={path === to ? 'page' : undefined} title={name}>
                <Icon name={icon} />
                <span>{name}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {isOpen ? (
        <button
          type="button"
          className="nav-shade"
          aria-label="Close the list"
          onClick={() => navOpen.set(false)}
        />
      ) : null}
    </>
  );
}
