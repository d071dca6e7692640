/** The position at which a video was left, as far as it is worth keeping (VID-2). */

/**
 * The window in which a position is kept, in parts of the duration, both ends included: below it the video has hardly
 * begun, above it is seen.
 */
const BEGUN = 0.02;
const SEEN = 0.97;

/** The position in seconds; null outside of the window, and where the duration is not known. */
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
