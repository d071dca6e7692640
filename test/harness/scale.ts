/**
 * Sizes of tests that repeat at scale: small by default, large in `npm run test:heavy`, whose files `x.heavy.test.ts`
 * import the tests that use this module.
 */

/** Whether this is a run at scale. */
export const AT_SCALE = process.env.TEST_HEAVY === '1';

/** @returns `heavy` in a run at scale, otherwise `usual` */
export const atScale = (usual: number, heavy: number): number => (AT_SCALE ? heavy : usual);
