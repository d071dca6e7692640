/** What this device keeps between visits. A browser may refuse to keep anything; then a visit has no past. */

export function kept(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/** @param value null or empty: nothing is kept any more */
export function keep(key: string, value: string | null): void {
  try {
    if (value) localStorage.setItem(PREFIX + key, value);
    else localStorage.removeItem(PREFIX + key);
  } catch {
    // Full, or switched off.
  }
}

const PREFIX = 'chat-kernel:';
