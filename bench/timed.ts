/** Measures how long a GET of each kernel takes. */
import { call } from './client.ts';
import { now } from './clock.ts';
import { type Both, interleave, middle } from './rig.ts';
import type { Figures } from './table.ts';

/** Returns medians in milliseconds. @param urls one of each kernel */
export async function timed({ kernel, other }: Both<string>, rounds = 50): Promise<Figures> {
  const get = (url: string) => async () => {
    const begun = now();
    await call('GET', url);
    return now() - begun;
  };
  const counted = { warmup: 1, counted: rounds };
  return middle(await interleave(counted, { kernel: get(kernel), ...(other && { other: get(other) }) }));
}
