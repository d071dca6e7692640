/** The kinds of items that say little: operations, pictures, notes of the kernel, folds and plans. */
import type { ItemOf, PlanTask } from '@chat-kernel/client';
import { useState } from 'react';
import { addressOf } from '../base/place.ts';
import { Exact } from '../parts/exact.tsx';
import { Icon } from '../parts/icon.tsx';
import { callSummary } from './call-summary.ts';
import { StatusMark } from './status-mark.tsx';

export function Operation({ item }: { item: ItemOf<'client_op'> }) {
  const { action, params, status, decision, agent, hands } = item;
  return (
    <p className="line">
      <StatusMark status={status} />
      {agent === undefined ? null : <span className="agent">{agent} ›</span>}
      <strong>{action}</strong>
      <span className="gist">
        <Exact text={callSummary(action, params)} />
      </span>
      <span className="tag">
        {hands === null ? (
          "kernel's machine"
        ) : hands === undefined ? (
          "client's machine"
        ) : (
          <Exact text={hands} />
        )}
      </span>
      {decision === undefined ? null : <span className="tag">{DECISIONS[decision] ?? decision}</span>}
    </p>
  );
}

const DECISIONS: Readonly<Record<string, string>> = {
  allow: 'allowed once',
  allow_session: 'allowed for the session',
  allow_always: 'always allowed',
  allow_prefix: 'allowed by its first words',
  allow_edits: 'edits allowed',
  deny: 'denied',
};

export function Picture({ item: { url } }: { item: ItemOf<'image'> }) {
  const [isLarge, setLarge] = useState(false);
  return (
    <button
      type="button"
      className={isLarge ? 'picture large' : 'picture'}
      onClick={() => setLarge(!isLarge)}
    >
      <img src={addressOf(url)} alt="From the model" loading="lazy" />
    </button>
  );
}

export function Fold({ item: { status } }: { item: ItemOf<'compaction'> }) {
  return (
    <p className="fold">
      <StatusMark status={status} />
      {status === 'running'
        ? 'Folding older messages into the summary'
        : 'Older messages are folded into the summary'}
    </p>
  );
}

export function Note({ item: { note, text } }: { item: ItemOf<'machine_note'> }) {
  const isBad =
    note === 'turn_failed' || note === 'kernel_restarted' || note === 'blocked' || note === 'spend_cap_near';
  return (
    <p className={isBad ? 'note bad' : 'note'}>
      <Icon name={isBad ? 'alert' : note === 'fork_marker' ? 'fork' : 'right'} />
      <span>{text}</span>
    </p>
  );
}

export function Tasks({ tasks }: { tasks: readonly PlanTask[] }) {
  return (
    <ul className="tasks">
      {tasks.map(({ title, status }) => (
        <li key={title} className={status}>
          <span className="box" role="img" aria-label={status.replace('_', ' ')} />
          <span>{title}</span>
        </li>
      ))}
    </ul>
  );
}
