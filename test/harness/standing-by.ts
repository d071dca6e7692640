/** A stand-by machine that the test controls: it records what it receives, and the test responds by hand. */
import type { HandsEvent } from '@chat-kernel/protocol';
import type { ApiClient } from './client.ts';
import type { EventStream } from './event-stream.ts';

type Operation = Extract<HandsEvent, { type: 'client_op' }>;

/** The responses of a machine without project files and skills. */
const NOTHING: Readonly<Record<string, object>> = { list_up: { dirs: [] }, list_dir: { entries: [] } };

interface Presence {
  client_id?: string;
  running?: readonly string[];
  sandbox?: string;
  secret?: string | undefined;
}

export class StandingBy {
  readonly stream: EventStream<HandsEvent>;
  readonly #api: ApiClient;

  constructor(stream: EventStream<HandsEvent>, api: ApiClient) {
    this.stream = stream;
    this.#api = api;
  }

  /** Resolves once the machine is connected. @param running ids of the operations that it claims to execute */
  static async open(
    api: ApiClient,
    name: string,
    { client_id = `id of ${name}`, running = [], sandbox, secret }: Presence = {},
  ): Promise<StandingBy> {
    const said = { client_id, name, platform: 'linux', running: running.join(',') };
    const query = new URLSearchParams({ ...said, ...(sandbox !== undefined && { sandbox }) });
    const headers: Record<string, string> = secret === undefined ? {} : { 'x-client-secret': secret };
    return new StandingBy(await api.hands(`?${query}`, headers), api);
  }

  /** Resolves with the next operation for this action; one that already arrived counts. */
  operation(action?: string): Promise<Operation> {
    const fits = (event: HandsEvent) =>
      event.type === 'client_op' && (action === undefined || event.action === action);
    return this.stream.until(fits) as Promise<Operation>;
  }

  /** Responds as the machine. Returns the status, and the code of a rejection. */
  async answer({ id, chat_id }: Operation, answer: object): Promise<{ status: number; code?: string }> {
    const { status, body } = await this.#api.post(`/v1/chats/${chat_id}/ops/result`, { id, ...answer });
    return { status, code: body.code };
  }

  /** Responds that there are no project files and no skills, each time that the kernel looks for them. */
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

  /** The types of the received events, in order. */
  get told(): string[] {
    return this.stream.events.map(event => (event.type === 'client_op' ? event.action : event.reason));
  }

  leave(): void {
    this.stream.hangUp();
  }
}
