/** Exports the log for commands that write or read it. */

export { openLog } from './start/log.ts';
export { logDestination, rotatedPath } from './start/log-destination.ts';
export { mayColour, readableLine } from './start/log-lines.ts';
