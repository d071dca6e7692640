/** Provides repeatable randomness: SEED in the environment repeats a run. */
import fc from 'fast-check';

export const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const random = fc.sample(fc.nat({ max: 9999 }), { numRuns: 997, seed });
let rolled = 0;

/** Returns a number below another one. */
export const dice = (below: number): number => (random[rolled++ % random.length] as number) % below;
