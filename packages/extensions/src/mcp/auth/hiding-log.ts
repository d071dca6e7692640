/** The log of a guest that is signed in to: what the guest says goes into it, and may repeat a token. */
import type { Log } from '@chat-kernel/kernel';

/** @param hide makes a text one that anybody may read */
export function hidingLog(log: Log, hide: (text: string) => string): Log {
  const shown = (value: unknown): unknown => {
    if (typeof value === 'string') return hide(value);
    if (Array.isArray(value)) return value.map(shown);
    // Without its stack, its cause and its data, each of which may hold the text again.
    return value instanceof Error ? hide(value.message) : value;
  };
  const hiding =
    (level: keyof Log): Log[keyof Log] =>
    (facts, sentence) =>
      log[level](
        Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, shown(value)])),
        sentence,
      );
  return { debug: hiding('debug'), info: hiding('info'), warn: hiding('warn'), error: hiding('error') };
}
