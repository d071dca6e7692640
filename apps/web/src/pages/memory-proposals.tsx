/** Lists texts that models want to remember, to accept or discard them one by one or all together. */
import type { MemoryEntry, MemoryProposal, ReviewMemory } from '@chat-kernel/client';
import { Link } from 'wouter';
import { chatPath } from '../base/paths.ts';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { Button } from '../parts/button.tsx';
import { Exact } from '../parts/exact.tsx';
import { useAction } from '../parts/use-action.ts';
import { Part } from './page.tsx';

type Proposal = MemoryProposal;

interface MemoryProposalsProps {
  proposals: readonly Proposal[];
  entries: readonly MemoryEntry[];
  onChanged(): Promise<void>;
}

export function MemoryProposals({ proposals, entries, onChanged }: MemoryProposalsProps) {
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
  proposal: Proposal;
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
