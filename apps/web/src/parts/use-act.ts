/** Something that the owner set off: one at a time, and what goes wrong is said. */
import { useState } from 'react';
import { useKernel } from '../kernel/context.ts';

interface Acting {
  /** Resolves with whether it went well. */
  act(work: () => Promise<unknown>): Promise<boolean>;
  busy: boolean;
}

export function useAct(): Acting {
  const { notices } = useKernel();
  const [busy, setBusy] = useState(false);
  const act = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    try {
      await work();
      return true;
    } catch (error) {
      notices.fail(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { act, busy };
}
