/** Places popovers next to their buttons. */
const DEFAULT_WIDTH = 176;
/** Between a popover and the edge of the window. */
const MARGIN = 8;

/**
 * Places a popover below its button, or above it if there is no room, and inside the window.
 * @param width the largest width of the popover in pixels
 */
export function placePopover(
  button: HTMLElement | null,
  popover: HTMLElement | null,
  width = DEFAULT_WIDTH,
): void {
  if (!button || !popover) return;
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const isBelow = bottom < innerHeight * 0.6;
  const isLeft = left < innerWidth / 2;
  const inside = (distance: number) =>
    `${Math.max(MARGIN, Math.min(distance, innerWidth - width - MARGIN))}px`;
  Object.assign(popover.style, {
    top: isBelow ? `${bottom + 4}px` : 'auto',
    bottom: isBelow ? 'auto' : `${innerHeight - top + 4}px`,
    left: isLeft ? inside(left) : 'auto',
    right: isLeft ? 'auto' : inside(innerWidth - right),
  });
}
