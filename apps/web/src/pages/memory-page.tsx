/** Lists, adds, edits and deletes memories, and shows their size in tokens. */
import type { MemoryEntry, MemoryProposal, ReviewMemory } from '@chat-kernel/client';
import { counted } from '@chat-kernel/text';
import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'wouter';
import { chatPath } from '../base/paths.ts';
import { useStore } from '../base/store.ts';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { Exact } from '../parts/exact.tsx';
import { InlineForm } from '../parts/inline-form.tsx';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page, Part } from './page.tsx';

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

function MemoryRow({ entry, onChanged }: { entry: MemoryEntry; onChanged(): Promise<void> }) {
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

interface MemoryProposalsProps {
  proposals: readonly MemoryProposal[];
  entries: readonly MemoryEntry[];
  onChanged(): Promise<void>;
}

/** Lists texts that models want to remember, to accept or discard them one by one or all together. */
function MemoryProposals({ proposals, entries, onChanged }: MemoryProposalsProps) {
  const { client } = useKernel();
  const { act, busy } = useAction();
  if (proposals.length === 0) return null;
  const review = (body: ReviewMemory) =>
    void act(() => client.reviewMemory(body).finally(() => void onChanged()));
  const ids = proposals.map(({ id }) => id);
  return (
    <Part
      title="Proposals"
      about="Models wanted to remember these after reading text that you did not write. Chats use them only after you accept them."
    >
      <ul className="rows">
        {proposals.map(proposal => (
          <li key={proposal.id}>
            <div>
              <Exact text={proposal.text} />
              <Origin proposal={proposal} replaced={entries.find(({ id }) => id === proposal.replaces)} />
            </div>
            <span className="pair">
              <Button label="Accept" disabled={busy} onClick={() => review({ accept: [proposal.id] })} />
              <Button label="Discard" disabled={busy} onClick={() => review({ discard: [proposal.id] })} />
            </span>
          </li>
        ))}
      </ul>
      {ids.length > 1 ? (
        <div className="inline">
          <Button label="Accept all" disabled={busy} onClick={() => review({ accept: ids })} />
          <Button
            label="Discard all"
            className="danger"
            disabled={busy}
            onClick={() => review({ discard: ids })}
          />
        </div>
      ) : null}
    </Part>
  );
}

/** Says where a proposal comes from, and which memory it would replace. */
function Origin({
  proposal: { origin, created_at },
  replaced,
}: {
  proposal: MemoryProposal;
  replaced: MemoryEntry | undefined;
}) {
  const { reason, chat_id, outside } = origin;
  return (
    <>
      {replaced ? (
        <small>
          Replaces: <Exact text={replaced.text} />
        </small>
      ) : null}
      <small>
        {reason === 'summary' ? 'Learned while summarizing a chat' : 'Not answered in time'}
        {outside.length > 0 ? (
          <>
            {' · sources: '}
            <Exact text={outside.join(', ')} />
          </>
        ) : null}
        {chat_id === null ? null : (
          <>
            {' · '}
            <Link href={chatPath(chat_id)}>chat</Link>
          </>
        )}
        {` · ${wholeTime(created_at)}`}
      </small>
    </>
  );
}
