/** A chat of the kernel as messages of the AI SDK: what they carry besides the parts that the AI SDK has. */
import type { UIMessage, UIMessageChunk } from 'ai';
import type { Operation } from '../api/operation.ts';
import type { ItemOf, JsonObject, PlanTask, Resolution, TurnEnd, TurnStatus, Usage } from '../api/types.ts';

/** Of a message of the user: what history knows of it. Of one of the model: its turn, and once that is over its end. */
export interface KernelMetadata {
  created_at?: string;
  /** Absent: the master says it. */
  sender?: string;
  /** The turn of the message has not begun. */
  waiting?: true;
  turn_id?: string;
  status?: TurnEnd;
  /** Of the whole turn. */
  usage?: Usage;
}

/** The data parts of a message: `plan` comes as `data-plan`. A type, for the AI SDK wants an index signature. */
export type KernelData = {
  request: KernelRequest;
  plan: { tasks: readonly PlanTask[] };
  /** The last trip to the provider. */
  usage: Usage & { model: string };
  note: Pick<ItemOf<'machine_note'>, 'note' | 'text'>;
  compaction: Pick<ItemOf<'compaction'>, 'status'>;
  /** Why nothing comes until the next part does: given to `onData` alone. */
  turn: KernelPause;
};

export interface KernelPause {
  status: TurnStatus | 'compacting';
  /** Turns before this one while it is queued. */
  position?: number;
  /** Of a turn that sleeps; null: until it is woken. */
  until?: string | null;
}

/** What the kernel asks; `KernelChatTransport.answer` answers it. */
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
  /** The place of the question in its call. */
  question: number;
  asked: {
    question: string;
    header?: string;
    options: { label: string; description?: string }[];
    multi_select?: boolean;
  };
  /** The ways not to answer: decision → label of its button. */
  decisions: Readonly<Record<string, string>>;
}

export type KernelUIMessage = UIMessage<KernelMetadata, KernelData>;
export type KernelPart = KernelUIMessage['parts'][number];
export type KernelChunk = UIMessageChunk<KernelMetadata, KernelData>;
