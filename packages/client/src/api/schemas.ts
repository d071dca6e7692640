/**
 * Names the types that cross the wire: answers as they are read, and bodies as they are written. In the published package
 * the build replaces the declarations of this file with those of docs/openapi.json, which need neither zod nor the protocol.
 */
import type * as protocol from '@chat-kernel/protocol';

export type * from '@chat-kernel/protocol';
export type { HttpErrorCode as ErrorCode, UploadedFile as File } from '@chat-kernel/protocol';

/** A body before the kernel fills in defaults. */
type Input<Schema extends { _zod: { input: unknown } }> = Schema['_zod']['input'];

export type CreateChat = Input<typeof protocol.CreateChat>;
export type CreateSchedule = Input<typeof protocol.CreateSchedule>;
export type FindBytes = Input<typeof protocol.FindBytes>;
export type ImportChat = Input<typeof protocol.ImportChat>;
export type MarkVideo = Input<typeof protocol.MarkVideo>;
export type PatchChat = Input<typeof protocol.PatchChat>;
export type PatchSchedule = Input<typeof protocol.PatchSchedule>;
export type ReviewMemory = Input<typeof protocol.ReviewMemory>;
export type SetWorkdir = Input<typeof protocol.SetWorkdir>;
export type SubscribeToChannel = Input<typeof protocol.SubscribeToChannel>;
export type TurnRequest = Input<typeof protocol.TurnRequest>;
