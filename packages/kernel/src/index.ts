/** The kernel: chats, turns, feeds, items, history. No HTTP, no SQL, no provider SDK. */

export { Imports } from './archive/imports.ts';
export { AtOnce } from './base/at-once.ts';
export { safeFileName } from './base/file-name.ts';
export { orderIdsBy } from './base/ids.ts';
export { isAbsoluteThere, pathThere } from './client-machine/client-path.ts';
export { TurnFeed } from './feed/feed.ts';
export { FeedReader, type Reader } from './feed/reader.ts';
export { MOST_IMAGE_PIXELS } from './files/image-size.ts';
export type { Fleet } from './fleet/fleet.ts';
export { repair } from './history/repair.ts';
export { Kernel, openKernel } from './kernel.ts';
export { consentResult } from './modules/consent-result.ts';
export * from './ports/index.ts';
export { lastBytes } from './requests/snapshot.ts';
export type { KernelParts } from './services.ts';
export { checkTimezone, parseSchedule } from './sleep/schedule.ts';
export { schemaMistake } from './toolbox/input-schema.ts';
export type { LiveRequest } from './turns/live-reader.ts';
export type { Sent, StartedTurn } from './turns/start-turn.ts';
export type { Spoken } from './voice/voice.ts';
