/** Links to the pages besides the chats. Rarely used ones can be hidden, and are at first on narrow screens. */
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { readStored, writeStored } from '../base/storage.ts';
import { Icon } from '../parts/icon.tsx';
import { MAIN_PAGES, MORE_PAGES, type PAGES } from './pages.ts';

const KEY = 'more-pages';

export function PageLinks() {
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
