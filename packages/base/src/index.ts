/** Helpers without dependencies: bounded caches, limits of concurrency, waiting, retrying and throttling. */
export { abortable } from './abortable.ts';
export { BoundedMap } from './bounded-map.ts';
export { pause, RetryBackoff, type RetryPauses, retry } from './retry.ts';
export { Semaphore } from './semaphore.ts';
export { Throttle } from './throttle.ts';
export { WakeablePause } from './wakeable-pause.ts';
