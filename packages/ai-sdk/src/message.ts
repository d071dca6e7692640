/** Types of kernel messages in the AI SDK: metadata and data parts. */
import type {
  ItemOf,
  JsonObject,
  Operation,
  PlanTask,
  Resolution,
  TurnEnd,
  TurnStatus,
  Usage,
} from '@chat-kernel/client';
import type { UIMessage, UIMessageChunk } from 'ai';

/** User messages have their facts from the history. Model messages have their turn, and its end once it is over. */
export interface KernelMetadata {
  created_at?: string;
  /** Absent: the owner. */
  sender?: string;
  /** The turn of the message has not begun. */
  waiting?: true;
  turn_id?: string;
  status?: TurnEnd;
  /** Of the whole turn. */
  usage?: Usage;
}

/**
 * The data parts of a message: `plan` becomes `data-plan`. A type alias, because the AI SDK requires an index
 * signature.
 */
export type KernelData = {
  request: KernelRequest;
  plan: { tasks: readonly PlanTask[] };
  /** The last request to the provider. */
  usage: Usage & { model: string };
  note: Pick<ItemOf<'machine_note'>, 'note' | 'text'>;
  compaction: Pick<ItemOf<'compaction'>, 'status'>;
  /** Why nothing arrives until the next part does; passed only to `onData`. */
  turn: KernelPause;
};

export interface KernelPause {
  status: TurnStatus | 'compacting';
  /** Turns before this one while it is queued. */
  position?: number;
  /** Only for a sleeping turn; null: until it is woken. */
  until?: string | null;
}

/** A request of the kernel; `KernelChatTransport.answer` answers it. */
export type KernelRequest = {
  chat_id: string;
  id: string;
  /** Absent while it waits for an answer. */
  resolution?: Pick<Resolution, 'reason' | 'decision'>;
} & (
  | { kind: 'operation'; operation: Operation }
  | { kind: 'tool'; name: string; input: JsonObject }
  | KernelQuestion
);

interface KernelQuestion {
  kind: 'question';
  /** The index of the question in its call. */
  question: number;
  asked: {
    question: string;
    header?: string;
    options: { label: string; description?: string }[];
    multi_select?: boolean;
  };
  /** The ways to decline: decision → label of its button. */
  decisions: Readonly<Record<string, string>>;
}

export type KernelUIMessage = UIMessage<KernelMetadata, KernelData>;
export type KernelPart = KernelUIMessage['parts'][number];
export type KernelChunk = UIMessageChunk<KernelMetadata, KernelData>;
