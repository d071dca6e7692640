/** The terminal client: the interactive chat, `ask` for scripts, and `hands`. */
export { type ChatOptions, chat } from './chat/chat.ts';
export type { ApprovalRequest } from './dialogs/approval.ts';
export type { Dialog } from './dialogs/dialog.ts';
export type { PickerEntry, PickerRequest } from './dialogs/picker.ts';
export { chatEntries, effortEntries, messageEntries, modelEntries } from './dialogs/picker-entries.ts';
export type { QuestionAnswer, QuestionRequest } from './dialogs/question.ts';
export { attach } from './editor/change.ts';
export type { Command } from './editor/completion.ts';
export { type Chip, createEditor, type EditorState, type Submission } from './editor/state.ts';
export { HANDS } from './machine/hands-policy.ts';
export { ChatScreen, type ChatScreenProps } from './screen/chat-screen.ts';
export {
  type ConnectionStatus,
  type ContextUse,
  contextShare,
  type Status,
  type TurnState,
} from './status/status-line.ts';
export { detectCapabilities, type TerminalCapabilities } from './text/paint.ts';
