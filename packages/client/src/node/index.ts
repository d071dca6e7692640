/** Hands for Node: operations on a real disk and with real processes. */

export { type NodeHands, type NodeHandsOptions, nodeHands } from './node-hands.ts';
export { reached } from './reach.ts';
export type { UndoLimits } from './undo/bounds.ts';
export { DeletedChats } from './undo/deleted-chats.ts';
export type { AskedEdit, UndoDisk, UndoneFile } from './undo/plan.ts';
export { type NewEdit, Undo, type UndoMode, type UndoOptions, type UndoRequest } from './undo/undo.ts';
