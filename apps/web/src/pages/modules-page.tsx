/** Modules: which take part, and the yes or no of the owner to each. */
import type { Schema } from '@chat-kernel/client';
import { useStore } from '../base/store.ts';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { Empty } from '../parts/empty.tsx';
import { useAct } from '../parts/use-act.ts';
import { useLoaded } from '../parts/use-loaded.ts';
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
    </Page>
  );
}

function ModuleRow({ module, onChanged }: { module: Schema<'Module'>; onChanged(): Promise<void> }) {
  const { client } = useKernel();
  const { act, busy } = useAct();
  const { name, version, about, status, tools, stages, problem, approved_at } = module;
  const isApproved = approved_at !== null && status !== 'revoked';
  const change = () => (isApproved ? client.revokeModule(name) : client.approveModule(name));
  return (
    <li>
      <div>
        <strong>{name}</strong> {version} <span className={`tag ${status}`}>{status}</span>
        <small>{about}</small>
        {tools.length > 0 ? <small>Tools: {tools.join(', ')}</small> : null}
        {stages.length > 0 ? <small>Looks at: {stages.join(', ')}</small> : null}
        {approved_at ? <small>Approved {wholeTime(approved_at)}</small> : null}
        {problem ? <small className="error">{problem}</small> : null}
      </div>
      <button
        type="button"
        className={isApproved ? 'danger' : 'primary'}
        disabled={busy}
        onClick={() => void act(() => change().then(onChanged))}
      >
        {isApproved ? 'Revoke' : 'Approve'}
      </button>
    </li>
  );
}
