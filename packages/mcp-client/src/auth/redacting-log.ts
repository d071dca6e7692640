/** Redacts the log of a guest with a sign-in, because texts from the guest may repeat a token. */
import type { Log } from '@chat-kernel/kernel';

/** @param hide removes secrets from a text */
export function redactingLog(log: Log, hide: (text: string) => string): Log {
  const shown = (value: unknown): unknown => {
    if (typeof value === 'string') return hide(value);
    if (Array.isArray(value)) return value.map(shown);
    // Without its stack, cause and data, which may repeat the text.
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
