/** Logs each warning once, however often its reason occurs. */
import type { Log } from '@chat-kernel/kernel';

export type WarnOnce = (facts: object, sentence: string) => void;

/** Returns a function that logs a warning, unless the same facts and sentence were logged before. */
export function onceLogger(log: Log): WarnOnce {
  const logged = new Set<string>();
  return (facts, sentence) => {
    const key = JSON.stringify([facts, sentence]);
    if (!logged.has(key)) log.warn(facts, sentence);
    logged.add(key);
  };
}
