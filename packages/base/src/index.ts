/** Helpers without dependencies: bounded caches, limits of concurrency, waiting and retrying. */
export { abortable } from './abortable.ts';
export { BoundedMap } from './bounded-map.ts';
export { pause, RetryBackoff, type RetryPauses, retry } from './retry.ts';
export { Semaphore } from './semaphore.ts';
export { WakeablePause } from './wakeable-pause.ts';
