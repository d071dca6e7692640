/** The dialog `Commands` (Ctrl+K): commands of the page, pages, and chats, found by words. */
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { chatPath } from '../base/paths.ts';
import { isPressed, keyNames, SHORTCUTS } from '../base/shortcuts.ts';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { Modal } from '../parts/modal.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { pageCommands } from './page-commands.ts';
import { PAGES } from './pages.ts';

/** Number of chats in the list, without and with a search. */
const MAX_CHATS = 8;

interface PaletteProps {
  onShortcuts(): void;
  onNewChat(): void;
  onClose(): void;
}

export function Palette({ onShortcuts, onNewChat, onClose }: PaletteProps) {
  const [query, setQuery] = useState('');
  const [picked, setPicked] = useState(0);
  const id = useId();
  const groups = useGroups(query.trim(), { onShortcuts, onNewChat });
  const found = groups.flatMap(({ entries }) => entries);
  const optionId = (entry: Entry | undefined) => (entry ? `${id}-${entry.key}` : undefined);
  const current = found[picked];
  const currentId = optionId(current);
  useEffect(() => {
    if (currentId) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' });
  }, [currentId]);
  const run = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const isRun = isPressed(event, 'run');
    const step = isPressed(event, 'next') ? 1 : isPressed(event, 'previous') ? -1 : 0;
    if (step === 0 && !isRun) return;
    // Otherwise Enter would also submit the form of the dialog that a command opens.
    event.preventDefault();
    if (isRun) return run(current);
    setPicked((picked + step + found.length) % Math.max(1, found.length));
  };
  return (
    <Modal title="Commands" onClose={onClose}>
      <div className="body palette">
        <input
          data-first
          role="combobox"
          aria-label="Search commands"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={currentId}
          placeholder={SHORTCUTS.commands.about}
          value={query}
          onChange={event => {
            setQuery(event.target.value);
            setPicked(0);
          }}
          onKeyDown={press}
        />
        <div id={id} role="listbox" aria-label="Results">
          {groups.map(({ title, entries }) => (
            // biome-ignore lint/a11y/useSemanticElements: a listbox may contain groups, but no fieldsets
            <div key={title} role="group" aria-labelledby={`${id}-${title}`}>
              <div id={`${id}-${title}`} className="group" role="presentation">
                {title}
              </div>
              {entries.map(entry => (
                <button
                  key={entry.key}
                  id={optionId(entry)}
                  type="button"
                  role="option"
                  tabIndex={-1}
                  aria-selected={entry === current}
                  onClick={() => run(entry)}
                >
                  <bdi>{entry.label}</bdi> <small>{entry.hint}</small>
                </button>
              ))}
            </div>
          ))}
        </div>
        <p role="status" className={found.length > 0 ? 'unseen' : 'hint'}>
          {found.length > 0 ? '' : 'No results. Every word must match.'}
        </p>
      </div>
    </Modal>
  );
}

/** Returns what the palette offers, and searches all chats of the kernel besides those of the list. */
function useGroups(
  query: string,
  { onShortcuts, onNewChat }: Omit<PaletteProps, 'onClose'>,
): readonly Group[] {
  const { client, chats: list } = useKernel();
  const { chats } = useStore(list.list);
  const commands = useStore(pageCommands);
  const [, go] = useLocation();
  const asked = useDeferredValue(query);
  const { value } = useLoaded(
    async () => (asked === '' ? [] : (await client.listChats({ q: asked, limit: MAX_CHATS })).chats),
    asked,
  );
  const known = new Map([...chats, ...(value ?? [])].map(chat => [chat.id, chat]));
  const groups = [
    {
      title: 'This page',
      entries: commands
        .filter(({ isOnlyFound }) => query !== '' || !isOnlyFound)
        .map(({ label, hint, run }) => ({ key: `command ${hint} ${label}`, label, hint, run })),
    },
    {
      title: 'Chats',
      entries: [...known.values()].map(({ id, title }) => ({
        key: id,
        label: title ?? 'New chat',
        hint: '',
        run: () => go(chatPath(id)),
      })),
    },
    {
      title: 'Go to',
      entries: [
        { key: 'new', label: 'New chat', hint: keyNames(SHORTCUTS.newChat.keys).join('+'), run: onNewChat },
        ...PAGES.map(({ name, path }) => ({ key: path, label: name, hint: '', run: () => go(path) })),
        { key: 'keys', label: 'Keyboard shortcuts', hint: SHORTCUTS.shortcuts.keys, run: onShortcuts },
      ],
    },
  ];
  return searchGroups(groups, query).map(group =>
    group.title === 'Chats' ? { ...group, entries: group.entries.slice(0, MAX_CHATS) } : group,
  );
}

interface Entry {
  key: string;
  label: string;
  hint: string;
  run(): void;
}

interface Group {
  title: string;
  entries: readonly Entry[];
}

/** Returns the groups with the entries that contain every word, the best entries and groups first. */
function searchGroups(groups: readonly Group[], query: string): readonly Group[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups.filter(({ entries }) => entries.length > 0);
  return groups
    .map(({ title, entries }) => {
      const ranked = entries
        .map(entry => ({ entry, rank: rankOf(entry, words) }))
        .filter(({ rank }) => rank < NOT_FOUND)
        .sort((a, b) => a.rank - b.rank);
      return { title, entries: ranked.map(({ entry }) => entry), best: ranked[0]?.rank ?? NOT_FOUND };
    })
    .filter(({ best }) => best < NOT_FOUND)
    .sort((a, b) => a.best - b.best);
}

const NOT_FOUND = 4;

/** Ranks labels that begin with the words before those that contain them, and the hint last. */
function rankOf({ label, hint }: Entry, words: readonly string[]): number {
  const text = label.toLowerCase();
  const isIn = (where: string) => words.every(word => where.includes(word));
  if (text.startsWith(words.join(' '))) return 0;
  if (words.every(word => ` ${text}`.includes(` ${word}`))) return 1;
  if (isIn(text)) return 2;
  return isIn(`${text} ${hint.toLowerCase()}`) ? 3 : NOT_FOUND;
}
