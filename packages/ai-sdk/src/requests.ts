/** Sends the requests of a turn as data parts: each when it opens, and again when it ends. */
import {
  applyToRequests,
  type EventOf,
  type OpenRequest,
  type Resolution,
  toOperation,
} from '@chat-kernel/client';
import type { KernelChunk, KernelRequest } from './message.ts';

type RequestEvent = EventOf<
  'client_op' | 'consent_request' | 'extra_tool_call' | 'tool_call' | 'request_resolved'
>;

export class RequestParts {
  readonly #chatId: string;
  /** The open requests of the turn. */
  #requests: readonly OpenRequest[] = [];

  constructor(chatId: string) {
    this.#chatId = chatId;
  }

  /** Returns the parts of the requests that the event opens or ends; most tool calls do neither. */
  changed(event: RequestEvent): KernelChunk[] {
    const before = this.#requests;
    this.#requests = applyToRequests(before, event);
    if (event.type === 'request_resolved') return this.#closed(before, event);
    return this.#requests.filter(open => !before.includes(open)).map(open => this.#part(open));
  }

  /** Returns the parts of requests that are still open: no request outlives its turn. */
  ended(): KernelChunk[] {
    const before = this.#requests;
    this.#requests = [];
    return this.#closed(before, { reason: 'turn_ended' });
  }

  #closed(before: readonly OpenRequest[], { reason, decision }: Pick<Resolution, 'reason' | 'decision'>) {
    const resolution = { reason, ...(decision !== undefined && { decision }) };
    return before.filter(open => !this.#requests.includes(open)).map(open => this.#part(open, resolution));
  }

  #part(open: OpenRequest, resolution?: KernelRequest['resolution']): KernelChunk {
    const { id, question } = open;
    const data = { ...toKernelRequest(this.#chatId, open), ...(resolution && { resolution }) };
    return { type: 'data-request', id: question === undefined ? id : `${id}:${question}`, data };
  }
}

function toKernelRequest(chat_id: string, { id, question = 0, event }: OpenRequest): KernelRequest {
  switch (event.type) {
    case 'client_op':
    case 'consent_request': {
      const operation = toOperation(chat_id, event);
      // Only the client that executes the operation needs its bytes, not those that display it.
      const { data: _, ...params } = operation.params;
      return { chat_id, id, kind: 'operation', operation: { ...operation, params } };
    }
    case 'extra_tool_call':
      return { chat_id, id, kind: 'tool', name: event.name, input: event.input };
    case 'tool_call': {
      // The kernel has checked the input before it asked.
      const { questions, decisions } = event.input as unknown as QuestionsInput;
      return { chat_id, id, kind: 'question', question, asked: questions[question]!, decisions };
    }
    default:
      return event satisfies never;
  }
}

type Question = Extract<KernelRequest, { kind: 'question' }>;

interface QuestionsInput {
  questions: Question['asked'][];
  decisions: Question['decisions'];
}
