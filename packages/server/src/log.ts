/** Exports the log for commands that write or read it. */

export { logDestination, openLog, rotatedPath } from './start/log.ts';
export { mayColour, readableLine } from './start/log-lines.ts';
