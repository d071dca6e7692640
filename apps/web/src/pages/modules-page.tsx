/** Modules: which take part, and the yes or no of the owner to each. */
import type { Schema } from '@chat-kernel/client';
import { useStore } from '../base/store.ts';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { Empty } from '../parts/empty.tsx';
import { useAct } from '../parts/use-act.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { GuestsPart } from './guests-part.tsx';
import { Page } from './page.tsx';

export default function ModulesPage() {
  const { client, requests } = useKernel();
  const asked = useStore(requests);
  const { value, error, reload } = useLoaded(() => client.listModules(), asked);
  return (
    <Page
      title="Modules"
      about="Processes of their own that bring tools, or look at what goes in and out. None takes part without your yes."
    >
      {error ? <p className="error">{error}</p> : null}
      {value?.modules.length === 0 ? (
        <Empty title="No module is here.">
          <p>
            <code>chat-kernel module new my-module</code> writes one; the settings file, or the folder of
            sockets, brings it in.
          </p>
        </Empty>
      ) : null}
      <ul className="rows">
        {value?.modules.map(module => (
          <ModuleRow key={module.name} module={module} onChanged={reload} />
        ))}
      </ul>
      <GuestsPart />
    </Page>
  );
}

function ModuleRow({ module, onChanged }: { module: Schema<'Module'>; onChanged(): Promise<void> }) {
  const { client } = useKernel();
  const { act, busy } = useAct();
  const { name, version, about, status, source, tools, stages, problem, approved_at, kernel } = module;
  const isTrusted = source === 'settings' || approved_at !== null;
  const button = (label: string, work: (name: string) => Promise<unknown>, className = 'danger') => (
    <button
      type="button"
      className={className}
      disabled={busy}
      onClick={() => void act(() => work(name).then(onChanged))}
    >
      {label}
    </button>
  );
  const approve = (label: string) => button(label, client.approveModule.bind(client), 'primary');
  const revoke = (label: string) => button(label, client.revokeModule.bind(client));
  return (
    <li>
      <div>
        <strong>{name}</strong> {version} <span className={`tag ${status}`}>{status}</span>
        <small>{about}</small>
        {tools.length > 0 ? <small>Tools: {tools.join(', ')}</small> : null}
        {stages.length > 0 ? <small>Looks at: {stages.join(', ')}</small> : null}
        {kernel ? <small>Runs at {kernel.name}</small> : null}
        {approved_at ? <small>Approved {wholeTime(approved_at)}</small> : null}
        {problem ? <small className="error">{problem}</small> : null}
      </div>
      {/* One that has changed since its approval waits like one that never had any. */}
      {status === 'pending' || status === 'revoked' ? approve('Approve') : null}
      {status === 'failed' ? approve(isTrusted ? 'Try again' : 'Approve') : null}
      {status === 'pending' ? revoke('Refuse') : null}
      {/* Of one that has never answered there is nothing to decide about. */}
      {!['pending', 'revoked'].includes(status) && version !== null ? revoke('Revoke') : null}
    </li>
  );
}
