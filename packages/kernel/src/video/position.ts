/** Where one stopped, as far as it is worth keeping (VID-2). */

/** Below, one has hardly begun; above, one has seen it. Both are parts of the duration, and inclusive. */
const BEGUN = 0.02;
const SEEN = 0.97;

/** Seconds; null outside of the window, and where the duration is not known. */
export function stopPosition({
  position_s,
  duration_s,
}: {
  position_s: number | null;
  duration_s: number;
}): number | null {
  if (position_s === null || duration_s <= 0) return null;
  const part = position_s / duration_s;
  return part >= BEGUN && part <= SEEN ? position_s : null;
}
