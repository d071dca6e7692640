/** Navigation: new chat, search, chats and pages. */
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { chatPath } from '../base/paths.ts';
import { readStored, writeStored } from '../base/storage.ts';
import { useStore } from '../base/store.ts';
import { classes } from '../base/text.ts';
import { useKernel } from '../kernel/context.ts';
import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { ChatLinks } from './chat-links.tsx';
import { navOpen } from './menu-button.tsx';
import { MAIN_PAGES, MORE_PAGES, type PAGES } from './pages.ts';

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

const KEY = 'more-pages';

/** Links to the pages besides the chats. Rarely used ones can be hidden, and are at first on narrow screens. */
function PageLinks() {
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const isShown = isOpen || MORE_PAGES.some(page => page.path === path);
  return (
    <div className="pages">
      <List pages={MAIN_PAGES} path={path} />
      <details
        open={isShown}
        onToggle={({ currentTarget: { open } }) => {
          if (open === isShown) return;
          writeStored(KEY, open ? 'open' : 'closed');
          setOpen(open);
        }}
      >
        <summary>
          More <Icon name="right" />
        </summary>
        <List pages={MORE_PAGES} path={path} />
      </details>
    </div>
  );
}

function List({ pages, path }: { pages: readonly (typeof PAGES)[number][]; path: string }) {
  return (
    <ul>
      {pages.map(({ path: to, name, icon }) => (
        <li key={to}>
          <Link href={to} aria-current={path === to ? 'page' : undefined} title={name}>
            <Icon name={icon} />
            <span>{name}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function isOpenAtFirst(): boolean {
  const stored = readStored(KEY);
  return stored === null ? matchMedia('(width > 52rem)').matches : stored === 'open';
}

/** Search results: chats by title, and messages by content. */
function SearchResults({ words }: { words: string }) {
  const { client, chats: list } = useKernel();
  const query = useDeferredValue(words);
  const { chats } = useStore(list.list);
  const search = async () => {
    const [titled, { results }] = await Promise.all([
      client.listChats({ q: query, limit: 20 }),
      client.search({ q: query, limit: 40 }),
    ]);
    return { titled: titled.chats, results };
  };
  const { value, error } = useLoaded(search, query);
  if (error) return <p className="error">{error}</p>;
  if (!value) return <p className="hint">Searching…</p>;
  const { titled, results } = value;
  const titleOf = (id: string) => [...titled, ...chats].find(chat => chat.id === id)?.title ?? 'Chat';
  if (titled.length + results.length === 0) return <p className="hint">No results. Every word must match.</p>;
  return (
    <>
      <Found label="Matching chats" title="Chats">
        {titled.map(({ id, title }) => (
          <li key={id}>
            <Link href={chatPath(id)}>
              <span className="title">
                <bdi>{title ?? 'New chat'}</bdi>
              </span>
            </Link>
          </li>
        ))}
      </Found>
      <Found label="Matching messages" title="Messages">
        {results.map(({ chat_id, message_id, snippet }) => (
          <li key={message_id}>
            <Link href={chatPath(chat_id, message_id)} className="found">
              <span className="title">
                <bdi>{titleOf(chat_id)}</bdi>
              </span>
              <small>
                <bdi>{snippet}</bdi>
              </small>
            </Link>
          </li>
        ))}
      </Found>
    </>
  );
}

/** Results of one kind; nothing if there are none. */
function Found({ label, title, children }: { label: string; title: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <section aria-label={label}>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  );
}
