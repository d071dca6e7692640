/** Machines that stand by: who is here, who was, and how another comes to be. */
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { Exact } from '../parts/exact.tsx';
import { useAct } from '../parts/use-act.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page, Part } from './page.tsx';

export default function MachinesPage() {
  const { client } = useKernel();
  const { act } = useAct();
  const { value, error, reload } = useLoaded(() => client.listHands());
  const machines = value?.hands ?? [];
  return (
    <Page
      title="Machines"
      about="Chats can act on these, whoever speaks in them: choose one below a message."
    >
      <Part title="Stand by" about="On the machine itself: chat-kernel hands --name laptop --allow FOLDER">
        {error ? <p className="error">{error}</p> : null}
        {value && machines.length === 0 ? <p className="none">None yet.</p> : null}
        <ul className="rows">
          {machines.map(({ client_id, name, platform, since, here }) => (
            <li key={client_id}>
              <div>
                <strong>
                  <Exact text={name} />
                </strong>{' '}
                <small>
                  {here ? 'here' : 'away'} since {wholeTime(since)} · <Exact text={platform} />
                </small>
              </div>
              <button
                type="button"
                onClick={() => void act(() => client.forgetHands(client_id).then(reload))}
              >
                Forget
              </button>
            </li>
          ))}
        </ul>
        <button type="button" onClick={() => void reload()}>
          Look again
        </button>
      </Part>
    </Page>
  );
}
