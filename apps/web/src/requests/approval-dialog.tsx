/** The question whether an operation may run: what exactly it would do, where, and a button for each decision. */
import { type Schema, wordsOfAction, wordsOfSandbox } from '@chat-kernel/client';
import { counted } from '../base/amounts.ts';
import { Exact } from '../parts/exact.tsx';
import { Docked } from './docked.tsx';
import { OperationBody } from './operation-body.tsx';

interface ApprovalDialogProps {
  request: Schema<'PendingRequest'>;
  /** How many wait behind it. */
  others: number;
  onDecision(decision: string): void;
}

/** The decisions that this page knows, the safe one last. Others are skipped. */
const LABELS = {
  allow: 'Allow once',
  allow_session: 'Allow for this session',
  allow_always: 'Always allow',
  deny: 'Deny',
} as const;
type Decision = keyof typeof LABELS;

export function ApprovalDialog({ request: { event, agent }, others, onDecision }: ApprovalDialogProps) {
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
  const machine = isOwn
    ? ["the kernel's machine", wordsOfSandbox(sandbox)].filter(Boolean).join(', ')
    : 'the machine of another client';
  // Only the client that has the hands can do what is allowed.
  const offered = (Object.keys(LABELS) as Decision[]).filter(
    each => decisions.includes(each) && (isOwn || each === 'deny'),
  );
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
          on {machine}
          {typeof params.workdir === 'string' ? (
            <>
              {isOwn ? ', ' : ' '}
              in <Exact text={params.workdir} />
            </>
          ) : null}
        </p>
        <OperationBody action={action} params={params} isOwn={isOwn} />
        {isOwn ? null : (
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
            onClick={() => onDecision(decision)}
          >
            {LABELS[decision]}
          </button>
        ))}
      </footer>
    </Docked>
  );
}

const BUTTONS: Readonly<Record<Decision, string>> = {
  allow: 'primary',
  allow_session: '',
  allow_always: '',
  deny: 'danger',
};
