/** Tells the client of a call what its turn is doing, where it has asked to be told. */
import { callSummary, type TurnEvent } from '@chat-kernel/client';

/** Clients give up calls that say nothing for a minute. */
const PULSE_MS = 10_000;
/** Text grows with each word; nobody reads that fast. */
const TEXT_EVERY_MS = 1000;
/** Longest message, in characters. */
const MOST_CHARS = 300;

export class TurnProgress {
  readonly #tell: ((progress: number, message: string) => void) | undefined;
  readonly #pulse: NodeJS.Timeout;
  #steps = 0;
  #last = 'The turn begins.';
  #toldText = 0;

  /** @param tell undefined: the client does not want to know */
  constructor(tell: ((progress: number, message: string) => void) | undefined) {
    this.#tell = tell;
    this.#pulse = setInterval(() => this.#say(this.#last), PULSE_MS);
    this.#pulse.unref();
  }

  /** @param answer the text so far */
  show(event: TurnEvent, answer: string): void {
    if (event.type === 'text_delta') {
      if (Date.now() - this.#toldText < TEXT_EVERY_MS) return;
      this.#toldText = Date.now();
    }
    const words = wordsOf(event, answer);
    if (words !== undefined) this.#say(oneLine(words));
  }

  end(): void {
    clearInterval(this.#pulse);
  }

  #say(message: string): void {
    this.#last = message;
    this.#steps += 1;
    this.#tell?.(this.#steps, message);
  }
}

function wordsOf(event: TurnEvent, answer: string): string | undefined {
  switch (event.type) {
    case 'queued':
      return `The chat is busy: ${event.position} before this one.`;
    case 'sleeping':
      return event.until === null ? 'The kernel sleeps.' : `The kernel sleeps until ${event.until}.`;
    case 'tool_call':
      return `Tool ${event.name}: ${callSummary(event.name, event.input)}`;
    case 'client_op':
      return event.decisions === undefined
        ? undefined
        : `Waits for a decision of the owner in another client: ${event.action}.`;
    case 'text_delta':
      return `Answers: ${answer.slice(-MOST_CHARS)}`;
    default:
      return undefined;
  }
}

const oneLine = (text: string): string => text.replaceAll('\n', ' ').slice(0, MOST_CHARS).toWellFormed();
