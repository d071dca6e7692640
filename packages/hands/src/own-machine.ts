/** The kernel's own machine for its tools: allowed paths, writing, commands, undo. */
export {
  decodeFile,
  encodeFile,
  type FileText,
  findEncoding,
  keepForm,
  keepLineEnds,
  type LineEnd,
  withoutMark,
} from '@chat-kernel/client';
export { fileProblem, isWithin, MachinePaths, refuseElsewhere, wholePath } from './machine/machine-path.ts';
export { ForbiddenPathError, PathError, SecretPathError } from './machine/path-errors.ts';
export { openFile, readPart } from './machine/plain-file.ts';
export { SecretPlaces } from './machine/secret-places.ts';
export {
  isHeld,
  type PlaceRules,
  type WritePlace,
  type WriteRules,
  whereTo,
  writePlace,
} from './machine/write-place.ts';
export { replaceFile } from './node/replace-file.ts';
export type { UndoDisk } from './node/undo/plan.ts';
export { type NewEdit, Undo } from './node/undo/undo.ts';
export { CacheCopies } from './shell/cache-copies.ts';
export { commandEnvironment } from './shell/environment.ts';
export { gitEnvironment } from './shell/git-environment.ts';
export { type RunningCommand, startCommand } from './shell/running-command.ts';
export { Sandbox } from './shell/sandbox.ts';
