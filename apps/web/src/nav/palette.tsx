/** Ctrl+K: goes anywhere by a few letters. */
import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { chatPath } from '../base/place.ts';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { Modal } from '../parts/modal.tsx';

interface Place {
  name: string;
  kind: string;
  path: string;
}

const PAGES: readonly Place[] = [
  { name: 'New chat', kind: 'page', path: '/' },
  { name: 'Usage', kind: 'page', path: '/usage' },
  { name: 'Modules', kind: 'page', path: '/modules' },
  { name: 'Memory', kind: 'page', path: '/memory' },
  { name: 'Persons', kind: 'page', path: '/persons' },
  { name: 'Videos', kind: 'page', path: '/videos' },
  { name: 'Books', kind: 'page', path: '/books' },
  { name: 'Schedules', kind: 'page', path: '/schedules' },
  { name: 'Settings', kind: 'page', path: '/settings' },
];
const MOST = 12;

export function Palette() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      setOpen(open => !open);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return isOpen ? <Places onClose={() => setOpen(false)} /> : null;
}

function Places({ onClose }: { onClose(): void }) {
  const { chats } = useStore(useKernel().chats.list);
  const [, go] = useLocation();
  const [words, setWords] = useState('');
  const [picked, setPicked] = useState(0);
  const all = useMemo(
    () => [
      ...chats.map(({ id, title }) => ({ name: title ?? 'New chat', kind: 'chat', path: chatPath(id) })),
      ...PAGES,
    ],
    [chats],
  );
  const found = all.filter(({ name }) => fits(name, words)).slice(0, MOST);
  const pick = (place: Place | undefined) => {
    if (!place) return;
    onClose();
    go(place.path);
  };
  return (
    <Modal title="Go to" onClose={onClose}>
      <div className="body palette">
        <input
          data-first
          role="combobox"
          aria-label="Go to"
          aria-expanded="true"
          aria-controls="places"
          placeholder="A chat or a page"
          value={words}
          onChange={event => {
            setWords(event.target.value);
            setPicked(0);
          }}
          onKeyDown={event => {
            if (event.key === 'Enter') return pick(found[picked]);
            if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
            event.preventDefault();
            setPicked(
              (picked + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % Math.max(1, found.length),
            );
          }}
        />
        <div id="places" role="listbox" aria-label="Places">
          {found.map((place, index) => (
            <button
              key={place.path}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={index === picked}
              onClick={() => pick(place)}
            >
              <bdi>{place.name}</bdi> <small>{place.kind}</small>
            </button>
          ))}
        </div>
      </div>
    </Modal>
  );
}

/** Every word has to begin somewhere in the name. */
const fits = (name: string, words: string): boolean =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every(word => name.toLowerCase().includes(word));
