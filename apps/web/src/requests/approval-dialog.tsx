/** Asks for approval of an operation: shows exactly what it would do and where, with a button for each decision. */
import {
  DECISION_FACTS,
  type Decision,
  describeAction,
  describeConsent,
  describeSandbox,
  dialogOrder,
  isConsentRequest,
  isLasting,
  type PendingRequest,
  prefixWords,
  suggestedWords,
  toOperation,
} from '@chat-kernel/client';
import { counted } from '@chat-kernel/text';
import { type Ref, useRef, useState } from 'react';
import { SHORTCUTS } from '../base/shortcuts.ts';
import { Exact } from '../parts/exact.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { Docked } from './docked.tsx';
import { CallBody, OperationBody } from './operation-body.tsx';

interface ApprovalDialogProps {
  request: PendingRequest;
  /** The number of other open requests. */
  others: number;
  onDecision(decision: string, more?: { prefix?: string; error?: string }): void;
}

export function ApprovalDialog({
  request: { chat_id, event, agent },
  others,
  onDecision,
}: ApprovalDialogProps) {
  const [feedback, setFeedback] = useState('');
  const [count, setCount] = useState<number>();
  const field = useRef<HTMLInputElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  if (event.type !== 'client_op' && event.type !== 'consent_request') return null;
  const operation = toOperation(chat_id, event);
  const { action, params, call, decisions = [], hands, sandbox, ...why } = operation;
  const isOthers = !isConsentRequest(event);
  const isOwn = !isOthers && typeof hands !== 'string';
  const name = isOwn ? 'the server' : (hands ?? "another client's machine");
  const machine = [name, describeSandbox(sandbox)].filter(Boolean).join(', ');
  // Only the client that runs the operation can allow it, unless it is a connected machine.
  const offered = dialogOrder(decisions).filter(each => !isOthers || each === 'deny');
  const isPrefix = (decision: Decision) => DECISION_FACTS[decision].reach === 'prefix';
  const command = String(params.command);
  const words = offered.some(isPrefix) ? prefixWords(command) : [];
  const prefixes = words.map((_, index) => words.slice(0, index + 1).join(' '));
  const prefix = words.slice(0, count ?? suggestedWords(command)).join(' ');
  const moreOf = (decision: Decision) => {
    if (isPrefix(decision)) return { prefix };
    return decision === 'deny' && feedback.trim() !== '' ? { error: feedback.trim() } : {};
  };
  const decide = (decision: Decision) => onDecision(decision, moreOf(decision));
  /** The letter of a lasting decision only selects its button, so that typing cannot approve for longer by accident. */
  const onLetter = (letter: string) => {
    if (letter === FEEDBACK_KEY) return field.current?.focus();
    const decision = offered.find(each => DECISION_FACTS[each].key === letter);
    if (decision === undefined) return;
    if (!isLasting(decision)) return decide(decision);
    buttons.current?.querySelector<HTMLElement>(`[aria-keyshortcuts="${letter}"]`)?.focus();
  };
  return (
    <Docked
      title={`${agent ? 'A sub-agent' : 'The model'} wants to ${describeAction(action, call?.length)}`}
      icon="alert"
      onClose={() => onDecision('deny')}
      onLetter={onLetter}
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
              {isOwn || sandbox ? ', ' : ' '}
              in <Exact text={params.workdir} />
            </>
          ) : null}
        </p>
        {describeConsent({ ...why, params: action === 'shell' ? params : {} }).map(line => (
          <p key={line} className="hint">
            <Exact text={line} />
          </p>
        ))}
        {call ? <CallBody call={call} /> : <OperationBody operation={operation} />}
        {words.length > 0 ? (
          <SelectField
            label="Commands starting with"
            value={prefix}
            onChange={text => setCount(prefixes.indexOf(text) + 1)}
            options={prefixes.map(text => [text, text])}
          />
        ) : null}
        {decisions.includes('deny') ? (
          <TextField
            ref={field}
            label={
              <span>
                Deny with feedback{' '}
                <span className="key" aria-hidden="true">
                  {FEEDBACK_KEY}
                </span>
              </span>
            }
            aria-label="Deny with feedback"
            value={feedback}
            placeholder="A reason or an alternative (optional)"
            onChange={setFeedback}
          />
        ) : null}
        {!isOthers ? null : <p className="hint">Only that client can allow this. You can deny it here.</p>}
      </div>
      <footer>
        {others > 0 ? <span className="hint">{counted(others, 'more request')} waiting</span> : null}
        <DecisionButtons ref={buttons} offered={offered} onDecision={decide} />
      </footer>
    </Docked>
  );
}

const FEEDBACK_KEY = SHORTCUTS.feedback.keys;

/**
 * Shows a button for each decision: those about one operation in fixed places, below them the lasting ones, the
 * narrowest first.
 */
function DecisionButtons({
  offered,
  onDecision,
  ref,
}: {
  offered: readonly Decision[];
  onDecision(decision: Decision): void;
  ref: Ref<HTMLDivElement>;
}) {
  const buttons = (shown: readonly Decision[]) =>
    shown.map(decision => (
      <button
        key={decision}
        type="button"
        className={CLASSES[decision] ?? ''}
        aria-keyshortcuts={DECISION_FACTS[decision].key}
        onClick={() => onDecision(decision)}
      >
        {DECISION_FACTS[decision].label}{' '}
        <span className="key" aria-hidden="true">
          {DECISION_FACTS[decision].key}
        </span>
      </button>
    ));
  const lasting = offered.filter(isLasting);
  return (
    <div ref={ref} className="decisions">
      <div className="once">{buttons(offered.filter(each => !isLasting(each)))}</div>
      {lasting.length > 0 ? <div className="lasting">{buttons(lasting)}</div> : null}
    </div>
  );
}

/** Classes of highlighted buttons. The style puts Deny in the second place, also without Allow once. */
const CLASSES: Readonly<Partial<Record<Decision, string>>> = { allow: 'primary', deny: 'danger' };
