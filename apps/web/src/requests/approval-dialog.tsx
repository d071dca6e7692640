/** The question whether an operation may run: what exactly it would do, where, and a button for each decision. */
import { type Schema, wordsOfAction, wordsOfSandbox } from '@chat-kernel/client';
import { useState } from 'react';
import { counted } from '../base/amounts.ts';
import { Exact } from '../parts/exact.tsx';
import { Docked } from './docked.tsx';
import { OperationBody } from './operation-body.tsx';

interface ApprovalDialogProps {
  request: Schema<'PendingRequest'>;
  /** How many wait behind it. */
  others: number;
  onDecision(decision: string, more?: { prefix?: string; error?: string }): void;
}

/** The decisions that this page knows, the safe one last. Others are skipped. */
const LABELS = {
  allow: 'Allow once',
  allow_session: 'Allow for this session',
  allow_always: 'Always allow',
  allow_prefix: 'Allow by first words',
  allow_edits: 'Allow all edits below',
  deny: 'Deny',
} as const;
type Decision = keyof typeof LABELS;

export function ApprovalDialog({ request: { event, agent }, others, onDecision }: ApprovalDialogProps) {
  const [why, setWhy] = useState('');
  const [count, setCount] = useState<number>();
  if (event.type !== 'client_op') return null;
  const {
    action,
    decisions = [],
    hands,
    sandbox,
    type: _,
    id: __,
    op_id: ___,
    client_id: ____,
    agent: _____,
    replayed: ______,
    ...params
  } = event;
  const isOwn = hands === null;
  const isOthers = hands === undefined;
  const machine = isOwn
    ? ["the kernel's machine", wordsOfSandbox(sandbox)].filter(Boolean).join(', ')
    : (hands ?? 'the machine of another client');
  // Only the client that has the hands can do what is allowed, unless its machine stands by.
  const offered = (Object.keys(LABELS) as Decision[]).filter(
    each => decisions.includes(each) && (!isOthers || each === 'deny'),
  );
  const words = offered.includes('allow_prefix') ? firstWords(params.command) : [];
  const prefix = words.slice(0, count ?? Math.min(2, words.length)).join(' ');
  const moreOf = (decision: Decision) => {
    if (decision === 'allow_prefix') return { prefix };
    return decision === 'deny' && why.trim() !== '' ? { error: why.trim() } : {};
  };
  return (
    <Docked
      title={`${agent ? 'A sub-agent' : 'The model'} asks to ${wordsOfAction(action)}`}
      icon="alert"
      onClose={() => onDecision('deny')}
    >
      <div className="body">
        <p className="where">
          {agent ? (
            <>
              <Exact text={agent} />,{' '}
            </>
          ) : null}
          on <Exact text={machine} />
          {typeof params.workdir === 'string' ? (
            <>
              {isOwn ? ', ' : ' '}
              in <Exact text={params.workdir} />
            </>
          ) : null}
        </p>
        <OperationBody action={action} params={params} isOwn={isOwn} />
        {words.length > 0 ? (
          <label className="field">
            Commands that begin with{' '}
            <select
              aria-label="Words"
              value={prefix}
              onChange={event => setCount(event.target.selectedIndex + 1)}
            >
              {words.map((_, index) => {
                const text = words.slice(0, index + 1).join(' ');
                return (
                  <option key={text} value={text}>
                    {text}
                  </option>
                );
              })}
            </select>
          </label>
        ) : null}
        {decisions.includes('deny') ? (
          <label className="field">
            No, and tell it why{' '}
            <input
              aria-label="Why not"
              value={why}
              placeholder="goes with Deny"
              onChange={event => setWhy(event.target.value)}
            />
          </label>
        ) : null}
        {!isOthers ? null : (
          <p className="hint">It can be allowed where that client runs; here it can be denied.</p>
        )}
      </div>
      <footer>
        {others > 0 ? <span className="hint">{counted(others, 'more')} waiting</span> : null}
        {offered.map(decision => (
          <button
            key={decision}
            type="button"
            className={BUTTONS[decision]}
            onClick={() => onDecision(decision, moreOf(decision))}
          >
            {LABELS[decision]}
          </button>
        ))}
      </footer>
    </Docked>
  );
}

/** The words that a prefix may hold: those before the first quote. The kernel has judged the command. */
function firstWords(command: unknown): string[] {
  const words = String(command)
    .split(/[ \t]/)
    .filter(word => word !== '');
  const quoted = words.findIndex(word => /["']/.test(word));
  return quoted < 0 ? words : words.slice(0, quoted);
}

const BUTTONS: Readonly<Record<Decision, string>> = {
  allow: 'primary',
  allow_session: '',
  allow_always: '',
  allow_prefix: '',
  allow_edits: '',
  deny: 'danger',
};
