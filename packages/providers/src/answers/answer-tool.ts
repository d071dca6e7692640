/**
 * Some models accept either tools or a schema for their answer. For these, the provider packages declare a tool `json`, and
 * the input of its call is the answer.
 */
import type { AnswerEvent, AnswerPart, AnswerReader } from './answer.ts';

export class AnswerToolReader implements AnswerReader {
  readonly #reader: AnswerReader;
  /** Text before the call does not belong to the answer; without a call, it is the answer. */
  readonly #held: AnswerPart[] = [];
  #answered = false;

  constructor(reader: AnswerReader) {
    this.#reader = reader;
  }

  read(event: AnswerEvent, parts: AnswerPart[], name: string | undefined): void {
    const own: AnswerPart[] = [];
    this.#reader.read(event, own, name);
    for (const part of own) this.#pass(part, parts);
  }

  end(parts: AnswerPart[], isMarked: boolean): void {
    const own: AnswerPart[] = [];
    this.#reader.end(own, isMarked);
    for (const part of own) this.#pass(part, parts);
  }

  #pass(part: AnswerPart, parts: AnswerPart[]): void {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        this.#held.push(part);
        break;
      case 'tool-call':
        if (ANSWER_TOOL.test(part.toolName)) {
          this.#answered = true;
          parts.push({ type: 'text-delta', id: 'answer', delta: part.input });
        } else parts.push(part);
        break;
      case 'finish': {
        if (!this.#answered) parts.push(...this.#held);
        const ends = this.#answered && part.finishReason.unified === 'tool-calls';
        parts.push(ends ? { ...part, finishReason: { ...part.finishReason, unified: 'stop' } } : part);
        break;
      }
      default:
        parts.push(part);
    }
  }
}

/** Google's package adds a number if a tool of the request has the name. */
const ANSWER_TOOL = /^json(_\d+)?$/;

/** Whether the body of a request declares the tool. A body that only mentions it costs nothing but the wait for the end. */
export const hasAnswerTool = (body: string): boolean => body.includes('"Respond with a JSON object."');
