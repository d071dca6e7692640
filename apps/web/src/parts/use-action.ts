/** Runs an action of the user and reports its errors. */
import { useState } from 'react';
import { describeError } from '../base/text.ts';
import { useKernel } from '../kernel/context.ts';

interface Acting {
  /** Resolves with true on success. */
  act(work: () => Promise<unknown>): Promise<boolean>;
  busy: boolean;
  /** The error message of the last attempt. Null: it succeeded. */
  failure: string | null;
}

interface ActOptions {
  /** True if the caller shows `failure`. Dialogs must, because they cover notices. */
  isShownHere?: boolean;
}

export function useAction({ isShownHere = false }: ActOptions = {}): Acting {
  const { notices } = useKernel();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const act = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setFailure(null);
    try {
      await work();
      return true;
    } catch (error) {
      setFailure(describeError(error));
      if (!isShownHere) notices.fail(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { act, busy, failure };
}
