/** A terminal as users have one: the project's own hands on the project's own streams, working in a directory. */
import { type Approve, HandsRunner, type LocalApprovals, type TurnRequest } from '@chat-kernel/client';
import type { Event } from '@chat-kernel/protocol';
import type { Followed, FollowedTurn } from './followed.ts';
import { handsIn, parametersOf } from './hands/actions.ts';
import { type Operation, operationOf } from './hands/operation.ts';
import type { TestClient } from './kernel-client.ts';

interface TerminalOptions {
  directory: string;
  client_id?: string;
  /** Default: allows everything. */
  approve?: Approve;
  /** Earlier decisions of the user; default: empty. */
  record?: LocalApprovals;
}

/** An operation that the terminal began. */
interface Begun extends Operation {
  /** `answered`: the kernel accepted the response; `over`: the operation had ended before. */
  state: 'running' | 'answered' | 'over';
}

export class Terminal {
  /** In the order in which they began. */
  readonly done: Begun[] = [];
  readonly #client: TestClient;
  readonly #runner: HandsRunner;
  readonly #asked = new Set<string>();
  readonly #failures: unknown[] = [];

  constructor(
    client: TestClient,
    { directory, client_id, record, approve = () => 'allow' }: TerminalOptions,
  ) {
    this.#client = client;
    this.#runner = new HandsRunner(client, {
      hands: handsIn(directory),
      approve,
      client_id,
      record,
      onOperation: (operation, state) => {
        const known = this.done.find(({ op_id }) => op_id === operation.op_id);
        if (known) known.state = state;
        else this.done.push({ ...operation, state });
      },
      onError: error => this.#failures.push(error),
    });
  }

  /** Runs a turn from its message to its `done` and executes its operations. */
  async turn(chatId: string, request: TurnRequest): Promise<Event[]> {
    const events = await (await this.begin(chatId, request)).all();
    await this.idle();
    return events;
  }

  /** Starts a turn and follows it; resolves once its message is stored. */
  begin(chatId: string, request: TurnRequest): Promise<FollowedTurn> {
    const own = { client_ops: true, client_id: this.#runner.client_id };
    return this.#client.begin(chatId, { ...own, ...request }, event => this.#take(chatId, event));
  }

  /** Attaches to a chat as a second terminal does, for this turn and later ones. The test must call `leave`. */
  watch(chatId: string): Promise<Followed> {
    return this.#client.watch(chatId, { follow: true }, event => this.#take(chatId, event));
  }

  /** Executes the operations that were requested while it was disconnected. */
  catchUp(chatId: string): Promise<void> {
    return this.#runner.catchUp(chatId);
  }

  /** Resolves when no operation is running. Throws if the kernel rejected a response. */
  async idle(): Promise<void> {
    await this.#runner.idle();
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  /** Throws if the kernel is wrong, even if the client tolerates it. */
  #take(chatId: string, event: Event): void {
    if (event.type === 'client_op') {
      const { op_id, action, params } = operationOf(event);
      parametersOf(action, params);
      if (event.replayed !== true && this.#asked.has(op_id)) throw new Error(`${op_id} came twice`);
      this.#asked.add(op_id);
    }
    this.#runner.take(chatId, event);
  }
}
