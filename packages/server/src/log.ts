/** Exports the log for commands that write or read it. */
export { rotatedPath } from './start/bounded-log.ts';
export { openLog } from './start/log.ts';
export { logDestination } from './start/log-destination.ts';
export { mayColour, readableLine } from './start/log-lines.ts';
