/** Lists, adds, edits and deletes memories, and shows their size in tokens. */
import type { MemoryEntry } from '@chat-kernel/client';
import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { counted } from '../base/amounts.ts';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { InlineForm } from '../parts/inline-form.tsx';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { MemoryProposals } from './memory-proposals.tsx';
import { Page, Part } from './page.tsx';

type Entry = MemoryEntry;

const MAX_CHARS = 500;

export default function MemoryPage() {
  const { client, shelves } = useKernel();
  const changed = useStore(shelves);
  const { value, error, reload } = useLoaded(() => client.getMemory(), changed);
  const [text, setText] = useState('');
  const { entries = [], proposals = [] } = value ?? {};
  const add = async () => {
    await client.addMemory({ text });
    setText('');
    await reload();
  };
  const list = (
    <ul className="rows">
      {entries.map(entry => (
        <MemoryRow key={`${entry.id} ${entry.updated_at}`} entry={entry} onChanged={reload} />
      ))}
    </ul>
  );
  return (
    <Page title="Memory" about="Facts shared with all your chats.">
      {error ? <p className="error">{error}</p> : null}
      {value ? (
        <p>
          <meter aria-label="Characters" min={0} max={value.max_chars} value={value.chars} /> {value.chars} of{' '}
          {counted(value.max_chars, 'character')}, about {counted(value.tokens, 'token')} per chat
        </p>
      ) : null}
      <MemoryProposals proposals={proposals} entries={entries} onChanged={reload} />
      {value && entries.length === 0 ? (
        <Empty title="No memories yet.">
          <p>Add one below, or ask a chat to remember something.</p>
        </Empty>
      ) : null}
      {proposals.length > 0 && entries.length > 0 ? <Part title="Memories">{list}</Part> : list}
      <Part title="Add a memory" about="One fact or preference, in a short sentence.">
        <InlineForm action="Add" disabled={text.trim() === ''} onSubmit={add}>
          <input
            aria-label="Text"
            value={text}
            maxLength={MAX_CHARS}
            onChange={event => setText(event.target.value)}
          />
        </InlineForm>
        {entries.length + proposals.length > 0 ? (
          <ConfirmButton
            label="Delete all memories"
            title="Delete all memories?"
            action="Delete all"
            onConfirm={() => client.forgetAllMemory().then(reload)}
          >
            <p>Chats no longer see these, and all proposals are discarded. Existing messages don't change.</p>
          </ConfirmButton>
        ) : null}
      </Part>
    </Page>
  );
}

function MemoryRow({ entry, onChanged }: { entry: Entry; onChanged(): Promise<void> }) {
  const { client, notices } = useKernel();
  const { act, busy } = useAction();
  /** Null: the entry is shown as text. */
  const [draft, setDraft] = useState<string | null>(null);
  const edit = useRef<HTMLButtonElement>(null);
  const text = draft?.trim() ?? '';
  const forget = async () => {
    const { found_in } = await client.forgetMemory(entry.id);
    if (found_in.length > 0)
      notices.say(`Deleted. ${counted(found_in.length, 'older message')} may still mention it.`);
    await onChanged();
  };
  const cancel = () => {
    flushSync(() => setDraft(null));
    edit.current?.focus();
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (text === '' || text === entry.text) return cancel();
    await act(() => client.patchMemory(entry.id, { text }).then(onChanged));
  };
  if (draft !== null) {
    return (
      <li>
        <form className="memory-edit" onSubmit={event => void save(event)}>
          <textarea
            ref={focusAtEnd}
            aria-label="Memory"
            rows={2}
            value={draft}
            maxLength={MAX_CHARS}
            onChange={event => setDraft(event.target.value)}
            onKeyDown={event => {
              if (event.key === 'Escape') cancel();
            }}
          />
          <Button label="Save" type="submit" className="primary" disabled={busy || text === ''} />
          <Button label="Cancel" onClick={cancel} />
        </form>
      </li>
    );
  }
  return (
    <li>
      <div className="whole">
        <bdi>{entry.text}</bdi>
        {entry.chat_id ? <small>added by a model</small> : null}
      </div>
      <Button ref={edit} label="Edit" onClick={() => setDraft(entry.text)} />
      <Button label="Delete memory" disabled={busy} onClick={() => void act(forget)} />
    </li>
  );
}

function focusAtEnd(field: HTMLTextAreaElement | null): void {
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}
