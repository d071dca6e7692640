/** What goes without asking, to take it back. */
import { Link } from 'wouter';
import { chatPath } from '../base/place.ts';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { Exact } from '../parts/exact.tsx';
import { useAct } from '../parts/use-act.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Part } from './page.tsx';

export function ApprovalList() {
  const { client } = useKernel();
  const { act } = useAct();
  const { value, error, reload } = useLoaded(() => client.listApprovals());
  const approvals = value?.approvals ?? [];
  const revoke = (work: () => Promise<unknown>) => void act(() => work().then(reload));
  return (
    <Part
      title="Approvals"
      about="Operations that you allowed for longer than once. They go without a dialog."
    >
      {error ? <p className="error">{error}</p> : null}
      {value && approvals.length === 0 ? <p className="none">None: every operation asks.</p> : null}
      <ul className="rows">
        {approvals.map(
          ({ id, chat_id, action, command, prefix, hands, workdir, workdir_on, decision, created_at }) => (
            <li key={id}>
              <div>
                <strong>{action}</strong>{' '}
                {command === undefined ? null : (
                  <code>
                    <Exact text={command} />
                  </code>
                )}
                {prefix === undefined ? null : (
                  <>
                    beginning with{' '}
                    <code>
                      <Exact text={prefix} />
                    </code>
                  </>
                )}
                {decision === 'allow_edits' ? 'of files below the directory, none of git or the shell' : null}
                <small>
                  {decision === 'allow_session' ? 'until the kernel stops' : 'always'} · on{' '}
                  {hands === undefined ? (
                    `the ${workdir_on === 'server' ? "kernel's" : "client's"} machine`
                  ) : (
                    <Exact text={hands} />
                  )}
                  {workdir ? (
                    <>
                      {' '}
                      in <Exact text={workdir} />
                    </>
                  ) : null}{' '}
                  · <Link href={chatPath(chat_id)}>its chat</Link> · {wholeTime(created_at)}
                </small>
              </div>
              <button type="button" onClick={() => revoke(() => client.revokeApproval(id))}>
                Revoke
              </button>
            </li>
          ),
        )}
      </ul>
      {approvals.length > 1 ? (
        <button type="button" className="danger" onClick={() => revoke(() => client.revokeApprovals())}>
          Revoke all
        </button>
      ) : null}
    </Part>
  );
}
