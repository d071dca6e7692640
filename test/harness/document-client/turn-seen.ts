/** Records the events of one turn so far, to check rules that span several events. */
import { against } from './events.ts';

// biome-ignore lint/suspicious/noExplicitAny: its fields were already checked against the document
type Came = Record<string, any>;

interface Sees {
  /** Whether the stream starts at the first event of the turn. */
  isWhole: boolean;
  /** Whether the stream has all three item events. */
  hasItems: boolean;
  hasCalls: boolean;
}

export class TurnSeen {
  readonly #sees: Sees;
  readonly #calls = new Map<string, Came>();
  readonly #items = new Map<string, 'open' | 'closed'>();
  readonly #itemCalls = new Set<string>();
  readonly #operations = new Set<string>();
  readonly #asked = new Set<string>();
  #turnId: string | undefined;
  #hasRun = false;

  constructor(sees: Sees) {
    this.#sees = sees;
  }

  /** Whether an item of this id has begun. */
  knows(id: string): boolean {
    return this.#items.has(id);
  }

  see(event: Came): void {
    switch (event.type) {
      case 'sleeping':
        this.#seeSleeping(event);
        return;
      case 'tool_call':
        this.#calls.set(event.id, event);
        break;
      case 'extra_tool_call':
        this.#seeExtraCall(event);
        break;
      case 'client_op':
        if (this.#operations.has(event.id)) throw against('an operation comes twice', event);
        this.#operations.add(event.id);
        break;
      case 'item_started':
      case 'item_completed':
        this.#seeItem(event);
        break;
      case 'item_delta':
        this.#seeDelta(event);
        break;
      case 'done':
        this.#seeDone(event);
        break;
    }
    this.#hasRun = true;
  }

  /** A question belongs to the array of its call, which lists the decisions that are possible besides the options. */
  seeResolved(event: Came): void {
    if (event.kind !== 'question') return;
    const call = this.#calls.get(event.id);
    if (call === undefined) {
      if (this.#sees.isWhole && this.#sees.hasCalls) throw against('a question of no call', event);
      return;
    }
    this.#asked.add(event.id);
    if (call.name !== 'ask_questions') return;
    const { questions, decisions } = call.input;
    if (!(event.question < questions?.length)) throw against('a number that is not in the array', event);
    // The kernel's own questions may offer neither decision; those of a model offer both.
    const offered = ['discuss', 'answer_in_text'].map(decision => typeof decisions?.[decision]);
    if (typeof decisions !== 'object' || decisions === null || offered[0] !== offered[1]) {
      throw against('no dictionary of discuss and answer_in_text', call);
    }
    if (Object.values(decisions).some(label => typeof label !== 'string'))
      throw against('a decision without its words', call);
  }

  /** @param resolved ids; those of questions end with `#` and their number */
  refuseOpenRequests(resolved: ReadonlySet<string>): void {
    for (const id of this.#operations) {
      if (!resolved.has(id)) throw against('a request that was never resolved', id);
    }
    for (const id of this.#asked) {
      const { questions } = this.#calls.get(id)?.input ?? {};
      for (const index of Array.isArray(questions) ? questions.keys() : []) {
        if (!resolved.has(`${id}#${index}`)) throw against(`question ${index} was never resolved`, id);
      }
    }
  }

  /** The event is the first of the stream, unless the model itself put the turn to sleep. */
  #seeSleeping(event: Came): void {
    const slept = [...this.#calls.values()].some(({ name }) => name === 'sleep');
    if (this.#hasRun && !slept && this.#sees.isWhole && this.#sees.hasCalls) {
      throw against('sleeping opens a stream', event);
    }
  }

  #seeExtraCall(event: Came): void {
    if (this.#operations.has(event.id)) throw against('a call comes twice', event);
    this.#operations.add(event.id);
    const call = this.#calls.get(event.id);
    if (call === undefined) {
      if (this.#sees.isWhole && this.#sees.hasCalls) throw against('the id of no tool_call', event);
      return;
    }
    if (call.name !== event.name) throw against('another tool than its tool_call', event);
  }

  #seeItem(event: Came): void {
    const { id, kind, turn_id, call_id } = event.item;
    if (kind === 'user_message') throw against('the live feed repeats no message of a user', event);
    const turn = /^(.+):\d+$/.exec(id)?.[1];
    if (turn === undefined || turn !== turn_id) throw against('a live id is {turn_id}:{n}', event);
    this.#turnId ??= turn;
    if (turn !== this.#turnId) throw against('an item of another turn', event);
    if (kind === 'tool_call') this.#itemCalls.add(call_id);
    const state = this.#items.get(id);
    const { isWhole, hasItems } = this.#sees;
    if (event.type === 'item_started') {
      if (state !== undefined) throw against('an item begins twice', event);
      this.#items.set(id, 'open');
    } else {
      if (state === 'closed') throw against('an item ends twice', event);
      if (state === undefined && isWhole && hasItems) throw against('an item ends that did not begin', event);
      this.#items.set(id, 'closed');
    }
  }

  #seeDelta(event: Came): void {
    const state = this.#items.get(event.item_id);
    const { isWhole, hasItems } = this.#sees;
    if (state === 'closed' || (state === undefined && isWhole && hasItems)) {
      throw against('a delta of an item that is not open', event);
    }
  }

  /** Checks that both event sets have the same calls and that no item is still running. */
  #seeDone(event: Came): void {
    const { isWhole, hasItems, hasCalls } = this.#sees;
    if (!hasItems) return;
    const open = [...this.#items].filter(([, state]) => state === 'open').map(([id]) => id);
    if (open.length > 0) throw against(`${open.join(', ')} run behind done`, event);
    if (!isWhole || !hasCalls) return;
    const unmirrored = new Set(this.#calls.keys()).symmetricDifference(this.#itemCalls);
    if (unmirrored.size > 0) throw against(`${[...unmirrored].join(', ')} are calls of one set alone`, event);
  }
}
