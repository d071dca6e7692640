/**
 * Shows a button for each decision: those about one operation in fixed places, below them the lasting ones, the
 * narrowest first.
 */
import { DECISION_FACTS, type Decision, isLasting } from '@chat-kernel/client';
import type { Ref } from 'react';

interface DecisionButtonsProps {
  /** In the order of dialogs. */
  offered: readonly Decision[];
  onDecision(decision: Decision): void;
  ref: Ref<HTMLDivElement>;
}

export function DecisionButtons({ offered, onDecision, ref }: DecisionButtonsProps) {
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
