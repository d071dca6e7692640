/** Requests to clients, as tools make them. */
import type {
  EventOf,
  OpsResult,
  PendingRequest,
  RequestKind,
  Resolution,
  ResolutionReason,
} from '@chat-kernel/protocol';

/** A request before it is sent to a client. */
export interface NewRequest {
  kind: RequestKind;
  /**
   * The event that the client gets; its `id` is that of the request. For a question the stream has had its tool_call
   * before.
   */
  event: EventOf<'client_op' | 'extra_tool_call' | 'tool_call'>;
  timeout_secs: number;
  /** The index of the question, where the kind is a question. */
  question?: number;
  /** Decisions that may be chosen; an answer with any other is refused. */
  decisions?: readonly string[];
  /** The sub-agent that asks. */
  agent?: string;
  /** Where the request is told, in place of the streams of its chat and of the kernel. */
  channel?: RequestChannel;
}

/** A question as clients draw it; its answer is the label of an option, several joined by `, `, or words. */
export interface OwnerQuestion {
  question: string;
  /** A word or two that name the topic. */
  header: string;
  options: { label: string; description?: string }[];
  /** Several options may be chosen. */
  multi_select?: boolean;
}

/** The way of a request to the one client that it is for. */
export interface RequestChannel {
  /** @param expire ends the request, as its time would */
  opened(request: PendingRequest, expire: () => void): void;
  resolved(resolution: Resolution): void;
}

/** The one ending of a request. */
export type RequestEnding =
  | { reason: 'answered'; answer: OpsResult }
  | { reason: Exclude<ResolutionReason, 'answered'> };

export interface RequestHandle {
  /** How the request ended. Never rejects, and settles before the turn is done. */
  readonly ending: Promise<RequestEnding>;
  /** Ends a request that is no longer waited for, as turn_ended. Does nothing after its ending. */
  end(): void;
}
