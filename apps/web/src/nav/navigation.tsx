/** Navigation: new chat, search, chats and pages. */
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useStore } from '../base/store.ts';
import { classes } from '../base/text.ts';
import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { ChatLinks } from './chat-links.tsx';
import { navOpen } from './nav-open.ts';
import { PageLinks } from './page-links.tsx';
import { SearchResults } from './search-results.tsx';

export function Navigation() {
  const isOpen = useStore(navOpen);
  const [path, go] = useLocation();
  const [query, setQuery] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes the navigation after each change of the address
  useEffect(() => navOpen.set(false), [path]);
  const newChat = () => {
    setQuery('');
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
          <IconButton className="nav-close" label="Close" icon="close" onClick={() => navOpen.set(false)} />
        </div>
        <div className="search">
          <Icon name="search" />
          <input
            type="search"
            aria-label="Search"
            placeholder="Search"
            value={query}
            onChange={event => setQuery(event.target.value)}
          />
        </div>
        <div className="nav-list">
          {query.trim() ? <SearchResults words={query.trim()} /> : <ChatLinks />}
        </div>
        <PageLinks />
      </nav>
      {isOpen ? (
        <button
          type="button"
          className="nav-shade"
          aria-label="Close menu"
          onClick={() => navOpen.set(false)}
        />
      ) : null}
    </>
  );
}
