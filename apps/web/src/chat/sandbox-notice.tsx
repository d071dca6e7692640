/** Says that no sandbox works on the server, where a new chat could run commands. */
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';

export function SandboxNotice() {
  const problem = useStore(useKernel().tools)?.no_sandbox;
  return problem === undefined ? null : (
    <p className="hint">
      No sandbox works on the server: {problem}. Without a working directory, commands and changes ask first.
    </p>
  );
}
