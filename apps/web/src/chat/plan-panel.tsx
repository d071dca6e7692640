/** The plan of the chat, folded to the task that is under way. */
import type { PlanTask } from '@chat-kernel/client';
import { Tasks } from '../items/small-items.tsx';
import { Meter } from '../parts/plot.tsx';

interface PlanPanelProps {
  tasks: readonly PlanTask[];
  isBusy: boolean;
  onErase(): void;
}

export function PlanPanel({ tasks, isBusy, onErase }: PlanPanelProps) {
  const done = tasks.filter(({ status }) => status === 'completed').length;
  // What is done, and not under way, is in the conversation.
  if (tasks.length === 0 || (done === tasks.length && !isBusy)) return null;
  const now =
    tasks.find(({ status }) => status === 'in_progress') ?? tasks.find(({ status }) => status === 'pending');
  return (
    <details className="plan">
      <summary>
        <strong>Plan</strong>
        <span className="gist">{now?.title ?? 'All done'}</span>
        <span className="count">
          {done}/{tasks.length}
        </span>
        <Meter share={done / tasks.length} label={`${done} of ${tasks.length} tasks done`} />
      </summary>
      <Tasks tasks={tasks} />
      <button type="button" className="quiet" onClick={onErase}>
        Erase the plan
      </button>
    </details>
  );
}
