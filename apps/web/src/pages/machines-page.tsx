/** Lists connected machines, and explains how to connect another one. */
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { ActionButton } from '../parts/button.tsx';
import { Exact } from '../parts/exact.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page, Part } from './page.tsx';

export default function MachinesPage() {
  const { client } = useKernel();
  const { value, error, reload } = useLoaded(() => client.listHands());
  const machines = value?.hands ?? [];
  return (
    <Page title="Machines" about="Machines your chats can use. Pick one below the message box.">
      <Part
        title="Connect a machine"
        about="On that machine, run: chat-kernel hands --name laptop --allow FOLDER"
      >
        {error ? <p className="error">{error}</p> : null}
        {value && machines.length === 0 ? <p className="none">No machines yet.</p> : null}
        <ul className="rows">
          {machines.map(({ client_id, name, platform, since, here }) => (
            <li key={client_id}>
              <div>
                <strong>
                  <Exact text={name} />
                </strong>{' '}
                <small>
                  {here ? 'online' : 'offline'} since {wholeTime(since)} · <Exact text={platform} />
                </small>
              </div>
              <ActionButton label="Remove" action={() => client.forgetHands(client_id).then(reload)} />
            </li>
          ))}
        </ul>
        <ActionButton label="Refresh" action={reload} />
      </Part>
    </Page>
  );
}
