/** The requests of a turn as data parts: each is told when it opens, and again when it ends. */
import { operationOf } from '../api/operation.ts';
import type { EventOf, Resolution } from '../api/types.ts';
import { resolve, withOperation, withQuestions } from '../items/requests.ts';
import { newTurn, type OpenRequest, type TurnView } from '../items/turn-view.ts';
import type { KernelChunk, KernelRequest } from './message.ts';

type Asking = EventOf<'client_op' | 'extra_tool_call' | 'tool_call'>;

export class RequestParts {
  readonly #chatId: string;
  /** Of the turn its requests alone. */
  #turn: TurnView = newTurn();

  constructor(chatId: string) {
    this.#chatId = chatId;
  }

  /** The parts of what an event asks; most calls of tools ask nothing. */
  asked(event: Asking): KernelChunk[] {
    const before = this.#turn.requests;
    this.#turn =
      event.type === 'tool_call' ? withQuestions(this.#turn, event) : withOperation(this.#turn, event);
    return this.#turn.requests.filter(open => !before.includes(open)).map(open => this.#part(open));
  }

  /** The parts of what has ended. */
  resolved(event: EventOf<'request_resolved'>): KernelChunk[] {
    const before = this.#turn.requests;
    this.#turn = resolve(this.#turn, event);
    return this.#closed(before, event);
  }

  /** The parts of what was still open: no request outlives its turn. */
  ended(): KernelChunk[] {
    const before = this.#turn.requests;
    this.#turn = newTurn();
    return this.#closed(before, { reason: 'turn_ended' });
  }

  #closed(before: readonly OpenRequest[], { reason, decision }: Pick<Resolution, 'reason' | 'decision'>) {
    const resolution = { reason, ...(decision !== undefined && { decision }) };
    return before
      .filter(open => !this.#turn.requests.includes(open))
      .map(open => this.#part(open, resolution));
  }

  #part(open: OpenRequest, resolution?: KernelRequest['resolution']): KernelChunk {
    const { id, question } = open;
    const data = { ...requestOf(this.#chatId, open), ...(resolution && { resolution }) };
    return { type: 'data-request', id: question === undefined ? id : `${id}:${question}`, data };
  }
}

function requestOf(chat_id: string, { id, question = 0, event }: OpenRequest): KernelRequest {
  switch (event.type) {
    case 'client_op': {
      const operation = operationOf(chat_id, event);
      // Bytes are for the client that executes the operation, not for those that draw it.
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
