/** A machine that stands by as a test wants it: what it was told, and answers by hand. */
import type { HandsEvent } from '@chat-kernel/protocol';
import type { ApiClient } from './client.ts';
import type { EventStream } from './event-stream.ts';

type Operation = Extract<HandsEvent, { type: 'client_op' }>;

/** What a machine says that has no files of a project, and no skills. */
const NOTHING: Readonly<Record<string, object>> = { list_up: { dirs: [] }, list_dir: { entries: [] } };

export class StandingBy {
  readonly stream: EventStream<HandsEvent>;
  readonly #api: ApiClient;

  constructor(stream: EventStream<HandsEvent>, api: ApiClient) {
    this.stream = stream;
    this.#api = api;
  }

  /** Resolves once the machine is here. @param running the ids of operations that it says it is at */
  static async open(
    api: ApiClient,
    name: string,
    { client_id = `id of ${name}`, running = [] }: { client_id?: string; running?: readonly string[] } = {},
  ): Promise<StandingBy> {
    const query = new URLSearchParams({ client_id, name, platform: 'linux', running: running.join(',') });
    return new StandingBy(await api.hands(`?${query}`), api);
  }

  /** The next operation that comes, or came, for this action. */
  operation(action?: string): Promise<Operation> {
    const fits = (event: HandsEvent) =>
      event.type === 'client_op' && (action === undefined || event.action === action);
    return this.stream.until(fits) as Promise<Operation>;
  }

  /** Answers as the machine. Returns the status, and the code of a refusal. */
  async answer({ id, chat_id }: Operation, answer: object): Promise<{ status: number; code?: string }> {
    const { status, body } = await this.#api.post(`/v1/chats/${chat_id}/ops/result`, { id, ...answer });
    return { status, code: body.code };
  }

  /** Finds no files of a project and no skills, each time that the kernel looks for them. */
  async findNone(): Promise<void> {
    const found = new Set<string>();
    const isNew = (event: HandsEvent) =>
      event.type === 'client_op' && event.action in NOTHING && !found.has(event.id);
    for (;;) {
      const look = (await this.stream.until(isNew)) as Operation;
      found.add(look.id);
      await this.answer(look, { result: NOTHING[look.action] });
    }
  }

  /** The types of what came, in order. */
  get told(): string[] {
    return this.stream.events.map(event => (event.type === 'client_op' ? event.action : event.reason));
  }

  leave(): void {
    this.stream.hangUp();
  }
}
