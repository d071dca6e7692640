/** Helpers without dependencies: bounded caches, limits of concurrency, and waiting. */
export { abortable } from './abortable.ts';
export { BoundedMap } from './bounded-map.ts';
export { Semaphore } from './semaphore.ts';
