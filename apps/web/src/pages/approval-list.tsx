/** Lists saved approvals with what each covers, and revokes them. */
import { type Approval, describeApproval, describeDecisionEnd } from '@chat-kernel/client';
import { Link } from 'wouter';
import { chatPath } from '../base/paths.ts';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { Button } from '../parts/button.tsx';
import { Exact } from '../parts/exact.tsx';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Part } from './page.tsx';

export function ApprovalList() {
  const { client } = useKernel();
  const { act } = useAction();
  const { value, error, reload } = useLoaded(() => client.listApprovals());
  const approvals = value?.approvals ?? [];
  const revoke = (work: () => Promise<unknown>) => void act(() => work().then(reload));
  return (
    <Part title="Approvals" about="Actions that run without asking, each only in its chat.">
      {error ? <p className="error">{error}</p> : null}
      {value && approvals.length === 0 ? <p className="none">No saved approvals.</p> : null}
      <ul className="rows">
        {approvals.map(approval => (
          <li key={approval.id}>
            <div>
              <Covered approval={approval} />
              <small>
                {describeDecisionEnd(approval.decision, Date.parse(approval.created_at), wholeTime)} ·{' '}
                <Link href={chatPath(approval.chat_id)}>chat</Link> · since {wholeTime(approval.created_at)}
              </small>
            </div>
            <Button label="Revoke" onClick={() => revoke(() => client.revokeApproval(approval.id))} />
          </li>
        ))}
      </ul>
      {approvals.length > 1 ? (
        <Button
          label="Revoke all"
          className="danger"
          onClick={() => revoke(() => client.revokeApprovals())}
        />
      ) : null}
    </Part>
  );
}

function Covered({ approval }: { approval: Approval }) {
  const { covers, text } = describeApproval(approval);
  return (
    <>
      <Exact text={covers} />
      {text === undefined ? null : (
        <code className="subject">
          <Exact text={text} />
        </code>
      )}
    </>
  );
}
