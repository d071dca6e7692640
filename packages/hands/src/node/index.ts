/** Hands for Node: execute operations on a real disk and with real processes. */

export { gitEnvironment } from '../shell/git-environment.ts';
export {
  type CommandOptions,
  type NodeHands,
  type NodeHandsOptions,
  nodeHands,
  sandboxKind,
} from './node-hands.ts';
export { resolveAllowedPath, resolveReadablePath, resolveWritablePath } from './resolve-path.ts';
export type { UndoLimits } from './undo/bounds.ts';
export { DeletedChats } from './undo/deleted-chats.ts';
export type { RequestedEdit, UndoDisk, UndoneFile } from './undo/plan.ts';
export { type NewEdit, Undo, type UndoMode, type UndoOptions, type UndoRequest } from './undo/undo.ts';
