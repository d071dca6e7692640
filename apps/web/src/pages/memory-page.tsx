/** The memory: what every chat is told, entry by entry, with its size and what it costs. */
import type { Schema } from '@chat-kernel/client';
import { useState } from 'react';
import { counted } from '../base/amounts.ts';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { InlineForm } from '../parts/inline-form.tsx';
import { useAct } from '../parts/use-act.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page, Part } from './page.tsx';

type Entry = Schema<'MemoryEntry'>;

const LONGEST = 500;

export default function MemoryPage() {
  const { client, shelves } = useKernel();
  const changed = useStore(shelves);
  const { value, error, reload } = useLoaded(() => client.getMemory(), changed);
  const [text, setText] = useState('');
  const [isClearing, setClearing] = useState(false);
  const entries = value?.entries ?? [];
  const add = async () => {
    await client.addMemory({ text });
    setText('');
    await reload();
  };
  return (
    <Page title="Memory" about="What every chat of yours is told, whatever it is about.">
      {error ? <p className="error">{error}</p> : null}
      {value ? (
        <p>
          <meter aria-label="Characters" min={0} max={value.max_chars} value={value.chars} /> {value.chars} of{' '}
          {counted(value.max_chars, 'character')}, about {counted(value.tokens, 'token')} a chat
        </p>
      ) : null}
      {value && entries.length === 0 ? (
        <Empty title="Nothing is remembered yet.">
          <p>Write something below, or ask a chat to remember it.</p>
        </Empty>
      ) : null}
      <ul className="rows">
        {entries.map(entry => (
          <MemoryRow key={`${entry.id} ${entry.updated_at}`} entry={entry} onChanged={reload} />
        ))}
      </ul>
      <Part title="Remember" about="One fact or wish, in a short sentence that is clear by itself.">
        <InlineForm action="Add" disabled={text.trim() === ''} onSubmit={add}>
          <input
            aria-label="Text"
            value={text}
            maxLength={LONGEST}
            onChange={event => setText(event.target.value)}
          />
        </InlineForm>
        {entries.length > 0 ? (
          <button type="button" className="danger" onClick={() => setClearing(true)}>
            Forget everything
          </button>
        ) : null}
      </Part>
      {isClearing ? (
        <Confirm
          title="Forget everything"
          action="Forget"
          onClose={() => setClearing(false)}
          onConfirm={() => client.forgetAllMemory().then(reload)}
        >
          <p>No chat is told any of it from now on. Old messages stay as they are.</p>
        </Confirm>
      ) : null}
    </Page>
  );
}

function MemoryRow({ entry, onChanged }: { entry: Entry; onChanged(): Promise<void> }) {
  const { client, notices } = useKernel();
  const { act, busy } = useAct();
  const [text, setText] = useState(entry.text);
  const isChanged = text.trim() !== '' && text.trim() !== entry.text;
  const forget = async () => {
    const { found_in } = await client.forgetMemory(entry.id);
    if (found_in.length > 0)
      notices.say(`Forgotten. ${counted(found_in.length, 'old message')} may still say it.`);
    await onChanged();
  };
  return (
    <li>
      <div>
        <textarea
          aria-label="Remembered"
          rows={2}
          value={text}
          maxLength={LONGEST}
          onChange={event => setText(event.target.value)}
        />
        {entry.chat_id ? <small>written by a model</small> : null}
      </div>
      {isChanged ? (
        <button
          type="button"
          disabled={busy}
          onClick={() => void act(() => client.patchMemory(entry.id, { text }).then(onChanged))}
        >
          Save
        </button>
      ) : null}
      <button type="button" disabled={busy} onClick={() => void act(forget)}>
        Forget
      </button>
    </li>
  );
}
