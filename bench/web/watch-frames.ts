/** Measures how evenly a page draws: the time between its frames, and from a key press to the frame that shows it. */
import type { Page } from 'playwright-core';
import { quantile } from '../rig.ts';

export interface Frames {
  /** 95th percentile of the milliseconds between frames. */
  p95: number;
  /** The longest time without a frame. */
  longest: number;
  /** 95th percentile of the milliseconds from a key press to its frame. */
  key: number;
}

const PROGRAM = `
  globalThis.frames = [];
  globalThis.keys = [];
  let last = performance.now();
  const frame = now => {
    frames.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  addEventListener('keydown', ({ timeStamp }) => requestAnimationFrame(() => keys.push(performance.now() - timeStamp)), true);
`;

/** Watches a page during an action, and types at the same time. */
export async function watchFrames(page: Page, work: Promise<unknown>): Promise<Frames> {
  await page.evaluate(PROGRAM);
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  await page.getByRole('textbox', { name: 'Message' }).focus();
  while (!isOver) {
    await page.keyboard.press('a');
    await page.waitForTimeout(100);
  }
  await work;
  const { frames, keys } = (await page.evaluate('({ frames, keys })')) as Record<'frames' | 'keys', number[]>;
  return { p95: quantile(frames, 0.95), longest: Math.max(...frames), key: quantile(keys, 0.95) };
}
