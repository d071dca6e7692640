/** Reports the progress of a turn to the client of a call, if it has requested that. */
import { callSummary, type TurnEvent } from '@chat-kernel/client';

/** Clients cancel calls that send nothing for a minute. */
const PULSE_MS = 10_000;
/** Text grows with each token; a person cannot read that fast. */
const TEXT_EVERY_MS = 1000;
/** Longest message, in characters. */
const MAX_CHARS = 300;

export class TurnProgress {
  readonly #tell: ((progress: number, message: string) => void) | undefined;
  readonly #pulse: NodeJS.Timeout;
  #steps = 0;
  #last = 'The turn started.';
  #toldText = 0;

  /** @param tell undefined if the client requests no progress */
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
    const words = describeEvent(event, answer);
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

function describeEvent(event: TurnEvent, answer: string): string | undefined {
  switch (event.type) {
    case 'queued':
      return `Queued: ${event.position} ahead.`;
    case 'sleeping':
      return event.until === null ? 'The kernel is asleep.' : `The kernel is asleep until ${event.until}.`;
    case 'tool_call':
      return `Tool ${event.name}: ${callSummary(event.name, event.input)}`;
    case 'client_op':
    case 'consent_request':
      return event.decisions === undefined
        ? undefined
        : `Waiting for a decision of the owner in another client: ${event.action}.`;
    case 'text_delta':
      return `Answers: ${answer.slice(-MAX_CHARS)}`;
    default:
      return undefined;
  }
}

const oneLine = (text: string): string => text.replaceAll('\n', ' ').slice(0, MAX_CHARS).toWellFormed();
