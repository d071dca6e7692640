/** Defines requests to clients for tools. */
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
   * The event that the client gets; its `id` is that of the request. For a question, the stream already contains its
   * tool_call.
   */
  event: EventOf<'client_op' | 'consent_request' | 'extra_tool_call' | 'tool_call'>;
  timeout_secs: number;
  /** The timeout if no client can show the request; absent: the same. */
  unattended_timeout_secs?: number;
  /** The index of the question, for requests of this kind. */
  question?: number;
  /** The permitted decisions; an answer with any other is rejected. */
  decisions?: readonly string[];
  /** The sub-agent that asks. */
  agent?: string;
  /** The channel of the request, instead of the streams of its chat and of the kernel. */
  channel?: RequestChannel;
}

/** A question for clients to display; its answer is the label of an option, several joined by `, `, or free text. */
export interface OwnerQuestion {
  question: string;
  /** The topic, in one or two words. */
  header: string;
  options: { label: string; description?: string }[];
  /** True if several options may be chosen. */
  multi_select?: boolean;
}

/** The channel for a request to a single client. */
export interface RequestChannel {
  /** @param expire ends the request like a timeout */
  opened(request: PendingRequest, expire: () => void): void;
  resolved(resolution: Resolution): void;
}

/** The one ending of a request. */
export type RequestEnding =
  | { reason: 'answered'; answer: OpsResult }
  /** `isUnsent`: no client got the request, because earlier ones of the turn expired unseen. */
  | { reason: Exclude<ResolutionReason, 'answered'>; isUnsent?: true };

export interface RequestHandle {
  /** How the request ended. Never rejects, and settles before the turn is done. */
  readonly ending: Promise<RequestEnding>;
  /** Ends a request that is not needed any longer, as turn_ended. Does nothing after its ending. */
  end(): void;
}
