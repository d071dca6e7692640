/** Something that the owner set off: one at a time, and what goes wrong is said. */
import { useState } from 'react';
import { sentenceOf } from '../base/words.ts';
import { useKernel } from '../kernel/context.ts';

interface Acting {
  /** Resolves with whether it went well. */
  act(work: () => Promise<unknown>): Promise<boolean>;
  busy: boolean;
  /** Why the last attempt failed, as a sentence; null: it did not. */
  failure: string | null;
}

interface ActOptions {
  /** The caller shows `failure` itself. A dialog has to: notices lie behind it. */
  isShownHere?: boolean;
}

export function useAct({ isShownHere = false }: ActOptions = {}): Acting {
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
      setFailure(sentenceOf(error));
      if (!isShownHere) notices.fail(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { act, busy, failure };
}
