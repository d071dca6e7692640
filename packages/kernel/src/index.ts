/** Exports the kernel: chats, turns, feeds, items, history. Contains no HTTP, no SQL and no provider SDK. */

export { uploadedId } from './api/copy-file.ts';
export { safeFileName } from './base/file-name.ts';
export { checkCursor, idAt, isId, newId, orderIdsBy } from './base/ids.ts';
export { jsonPieces, textPieces } from './base/json-pieces.ts';
export { KeyedQueue } from './base/keyed-queue.ts';
export { loopTime } from './base/loop-time.ts';
export { SLICE, slices } from './base/slices.ts';
export { oneLine, quotedName, trimEnd } from './base/text.ts';
export { newChat } from './chats/chats.ts';
export { forkMarker } from './chats/fork.ts';
export { isAbsoluteThere, isWithinThere, pathThere } from './client-machine/client-path.ts';
export { COMMAND_OUTPUT, fromImport, fromPerson } from './consent/outside.ts';
export type { FeatureHost, TurnActivity } from './feature-host.ts';
export { TurnFeed } from './feed/feed.ts';
export { FeedReader, type Reader } from './feed/reader.ts';
export type { Files } from './files/files.ts';
export { detectMediaType, MAX_IMAGE_PIXELS, sniffImage } from './files/sniff-image.ts';
export type { Fleet } from './fleet/fleet.ts';
export { newKernelId, signsOnlyAddress } from './fleet/kernel-id.ts';
export { stateFingerprint } from './history/known-state.ts';
export { repair } from './history/repair.ts';
export { Kernel, openKernel } from './kernel.ts';
export { unknownModelError as unknownModel } from './model/choice.ts';
export { chooseEffort } from './model/effort.ts';
export { describeOmittedTools } from './model/omitted-tools.ts';
export { likelyCost, NOTHING_USED } from './model/pricing.ts';
export {
  answerTo,
  leastEffort,
  type SideRequest,
  sideCall,
  sideFailure,
  sideTokens,
} from './model/side-call.ts';
export { estimateTokens } from './model/token-estimate.ts';
export { consentResult } from './modules/incoming-calls.ts';
export * from './ports/index.ts';
export { lastBytes } from './requests/snapshot.ts';
export type { KernelParts } from './services.ts';
export { checkTimezone, parseSchedule } from './sleep/schedule.ts';
export { alarm } from './sleep/sleeper.ts';
export { isCapRequest } from './spend/caps.ts';
export type { Reservation } from './spend/reservations.ts';
export { schemaMistake } from './toolbox/input-schema.ts';
export type { LiveRequest } from './turns/live-reader.ts';
export type { Sent, StartedTurn } from './turns/start-turn.ts';
