/** All dialogs. A new one gets a file in this folder, and its view in screen/dialog-view.ts. */
import type { Choice } from '@chat-kernel/client';
import type { ApprovalRequest } from './approval.ts';
import type { PickerEntry, PickerRequest } from './picker.ts';
import type { QuestionAnswer, QuestionRequest } from './question.ts';

export type Dialog =
  | { kind: 'approval'; request: ApprovalRequest; onChoice: (choice: Choice) => void }
  | { kind: 'question'; request: QuestionRequest; onAnswer: (answer: QuestionAnswer) => void }
  | {
      kind: 'picker';
      request: PickerRequest;
      onPick: (entry: PickerEntry) => void;
      onClose: () => void;
      onQuery?: (query: string) => void;
    }
  | { kind: 'help'; onClose: () => void };
