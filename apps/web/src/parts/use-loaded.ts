/** Loads a value when a component is shown, and again on request. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from '../base/store.ts';
import { describeError } from '../base/text.ts';
import { useKernel } from '../kernel/context.ts';

interface Loaded<Value> {
  value: Value | null;
  /** A message for the user. */
  error: string | null;
  reload(): Promise<void>;
}

/** @param key a change reloads the value */
export function useLoaded<Value>(load: () => Promise<Value>, key: unknown = null): Loaded<Value> {
  const [value, setValue] = useState<Value | null>(null);
  const [error, setError] = useState<string | null>(null);
  const newest = useRef(load);
  newest.current = load;
  const reading = useRef(0);
  const reload = useCallback(async () => {
    const mine = ++reading.current;
    try {
      const read = await newest.current();
      if (mine !== reading.current) return;
      setValue(read);
      setError(null);
    } catch (failure) {
      if (mine === reading.current) setError(describeError(failure));
    }
  }, []);
  const { state } = useStore(useKernel().connection);
  const hasFailed = error !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new connection is a reason to try again
  useEffect(() => {
    if (state === 'open' && hasFailed) void reload();
  }, [state]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key controls reloads
  useEffect(() => {
    void reload();
    return () => void reading.current++;
  }, [reload, key]);
  return { value, error, reload };
}
