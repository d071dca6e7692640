/** What a page reads when it is shown, and again when it is told to. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { sentenceOf } from '../base/words.ts';

interface Loaded<Value> {
  value: Value | null;
  /** A sentence. */
  error: string | null;
  reload(): Promise<void>;
}

/** @param key another one reads anew */
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
      if (mine === reading.current) setError(sentenceOf(failure));
    }
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says when to read again
  useEffect(() => {
    void reload();
    return () => void reading.current++;
  }, [reload, key]);
  return { value, error, reload };
}
