/** Requests to clients, as tools make them. */
import type { EventOf, OpsResult, RequestKind, ResolutionReason } from '@chat-kernel/protocol';

/** What a tool wants of a client. */
export interface NewRequest {
  kind: RequestKind;
  /** What the client is told; its `id` is that of the request. A question's tool_call has been told already. */
  event: EventOf<'client_op' | 'extra_tool_call' | 'tool_call'>;
  timeout_secs: number;
  /** The index of the question, of a question. */
  question?: number;
  /** What may be chosen; an answer with any other decision is refused. */
  decisions?: readonly string[];
  /** The sub-agent that asks. */
  agent?: string;
}

/** The one ending of a request. */
export type RequestEnding =
  | { reason: 'answered'; answer: OpsResult }
  | { reason: Exclude<ResolutionReason, 'answered'> };

export interface RequestHandle {
  /** Never rejects, and settles before the turn is done. */
  readonly ending: Promise<RequestEnding>;
  /** Nobody waits for it any more: it ends as turn_ended. After its ending, nothing. */
  end(): void;
}
