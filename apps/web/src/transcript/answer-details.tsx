/** A button that shows which model wrote an answer, with its tokens and its cost. */
import type { ItemOf, Turn } from '@chat-kernel/client';
import { dollars, plain } from '@chat-kernel/text';
import { useId, useRef, useState } from 'react';
import { IconButton } from '../parts/button.tsx';
import { useLoaded } from '../parts/use-loaded.ts';

interface AnswerDetailsProps {
  item: ItemOf<'agent_message'>;
  loadTurn(turnId: string): Promise<Turn>;
}

export function AnswerDetails(props: AnswerDetailsProps) {
  const id = useId();
  const card = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton
        label="Details"
        icon="info"
        title="Model, tokens and cost"
        aria-haspopup="dialog"
        popoverTarget={id}
      />
      <div
        ref={card}
        id={id}
        popover="auto"
        role="dialog"
        aria-label="Details"
        tabIndex={-1}
        className="answer-details"
        onToggle={event => {
          setOpen(event.newState === 'open');
          if (event.newState === 'open') card.current?.focus();
        }}
      >
        {isOpen ? <Facts {...props} /> : null}
      </div>
    </>
  );
}

function Facts({ item: { model, usage, turn_id }, loadTurn }: AnswerDetailsProps) {
  // A fork names turns of the chat that it was made from: such a turn is not found, and its sums are not shown.
  const { value: turn } = useLoaded(async () => (turn_id === null ? null : await loadTurn(turn_id)), turn_id);
  const hasMore = turn !== null && count(turn.usage) > (usage ? count(usage) : 0);
  return (
    <dl>
      <dt>Model</dt>
      <dd>{model ?? turn?.model ?? 'Unknown'}</dd>
      {usage ? (
        <>
          <dt>Input</dt>
          <dd>
            {plain(usage.prompt_tokens)} tokens
            {usage.cached_tokens > 0 ? <small>{plain(usage.cached_tokens)} cached</small> : null}
          </dd>
          <dt>Output</dt>
          <dd>
            {plain(usage.completion_tokens)} tokens
            {usage.reasoning_tokens > 0 ? <small>{plain(usage.reasoning_tokens)} thinking</small> : null}
          </dd>
          <dt>Cost</dt>
          <dd>{dollars(usage.cost_usd)}</dd>
        </>
      ) : null}
      {hasMore ? (
        <>
          <dt>Whole turn</dt>
          <dd>
            {plain(count(turn.usage))} tokens
            {turn.usage.cost_usd === null ? null : <small>{dollars(turn.usage.cost_usd)}</small>}
          </dd>
        </>
      ) : null}
    </dl>
  );
}

const count = ({ prompt_tokens, completion_tokens }: Turn['usage']): number =>
  prompt_tokens + completion_tokens;
