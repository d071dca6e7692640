/**
 * Operations: the answers of clients to what they were asked, the owner's permissions, and reads of files for the
 * API.
 */
import {
  type ApprovalList,
  type BytesFound,
  type BytesRead,
  type FindBytes,
  KernelError,
  type OpsProgress,
  type OpsResult,
  type ReadBytes,
  type RequestList,
  type ResolvedRequest,
  type RevokedApprovals,
} from '@chat-kernel/protocol';
import type { Chats } from '../chats/chats.ts';
import { ClientHands } from '../client-machine/client-machine.ts';
import {
  type ChatRecord,
  type FilePart,
  type NewRequest,
  OperationError,
  Refused,
  type RequestHandle,
  Unanswered,
} from '../ports/index.ts';
import { OUTSIDE_TURNS } from '../requests/requests.ts';
import { notConnected } from '../standby/machine.ts';
import { handsOf } from '../turn/hands.ts';
import { requestOpener } from '../turn/request-opener.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import type { Queues } from '../turns/queues.ts';

export class Operations {
  readonly #services: TurnServices;
  readonly #queues: Queues;
  readonly #chats: Chats;

  constructor(services: TurnServices, queues: Queues, chats: Chats) {
    this.#services = services;
    this.#queues = queues;
    this.#chats = chats;
  }

  /**
   * Takes a client's answer. The chat counts where several chats have a request of this id. Errors as of
   * `Requests.answer`.
   */
  answer(chatId: string, answer: OpsResult): ResolvedRequest {
    return { ok: true, resolution: this.#services.requests.answer(chatId, answer) };
  }

  /** Takes a snapshot of a client's progress. Errors as of `Requests.answer`. */
  showProgress(chatId: string, progress: OpsProgress): { ok: true } {
    this.#services.requests.progress(chatId, progress);
    return { ok: true };
  }

  /** Whether a request of this id was opened by this kernel. */
  has(id: string): boolean {
    return this.#services.requests.has(id);
  }

  /** The id of another kernel on the same database that opened a request of this id; undefined: none is known. */
  holderOf(id: string): string | undefined {
    return this.#services.events.holderOf(id);
  }

  /** The requests that clients have not answered yet, of one chat or of all. */
  pending(chatId?: string): RequestList {
    const all = this.#services.requests.pending();
    return { requests: chatId === undefined ? all : all.filter(({ chat_id }) => chat_id === chatId) };
  }

  /** The lasting permissions (OP-14). */
  approvals(): ApprovalList {
    return { approvals: this.#services.grants.list() };
  }

  /** Takes back one permission, or all. @throws KernelError not_found for an id that names none */
  async revoke(id?: string): Promise<RevokedApprovals> {
    const revoked = await this.#services.grants.revoke(id);
    if (id !== undefined && revoked === 0) throw new KernelError('not_found', 'There is no such approval.');
    return { revoked };
  }

  /**
   * Reads a piece of a file on the kernel's machine (OP-12).
   * @throws KernelError forbidden_path, not_found, invalid_value
   */
  async readBytes(range: ReadBytes): Promise<BytesRead> {
    return encoded(await this.#services.machine.readBytes(range));
  }

  /**
   * Reads a piece of a file on the machine of the client whose turn is open in the chat (OP-12); its owner may be
   * asked.
   * @param gone aborted when the caller has hung up: a question to the owner then closes
   * @throws KernelError no_client, forbidden_path (its owner refused), invalid_value (with what the client answered)
   */
  async readClientBytes(chatId: string, range: ReadBytes, gone?: AbortSignal): Promise<BytesRead> {
    return encoded(await this.#asking(chatId, gone, hands => hands.readBytes(range)));
  }

  /** Finds bytes in a file there. Errors as of `readClientBytes`. */
  findClientBytes(chatId: string, { data, ...search }: FindBytes, gone?: AbortSignal): Promise<BytesFound> {
    const wanted = { ...search, data: Buffer.from(data, 'base64') };
    return this.#asking(chatId, gone, hands => hands.findBytes(wanted));
  }

  async #asking<Answer>(
    chatId: string,
    gone: AbortSignal | undefined,
    work: (hands: ClientHands) => Promise<Answer>,
  ): Promise<Answer> {
    const chat = await this.#chats.get(chatId);
    const turn = this.#queues.withHands(chatId);
    if (turn === undefined && chat.hands !== null) return this.#atStandBy(chat, chat.hands, gone, work);
    // A directory of the kernel's machine means nothing on the client's, so relative paths then begin where the
    // client likes.
    const place = { ...chat, workdir: chat.workdir_on === 'client' ? chat.workdir : null };
    const request = turn && askedFor(gone, requestOpener(turn, this.#services));
    const hands = turn && handsOf(turn, () => place, this.#services, { request });
    if (!hands) throw new KernelError('no_client', 'No client with hands has a turn open in this chat.');
    return answered(work(hands));
  }

  /** The same on the machine that the chat names, while it is here, with or without a turn. */
  #atStandBy<Answer>(
    chat: ChatRecord,
    name: string,
    gone: AbortSignal | undefined,
    work: (hands: ClientHands) => Promise<Answer>,
  ): Promise<Answer> {
    const { requests, machines, grants, settings } = this.#services;
    if (!machines.isHere(name)) throw new KernelError('no_client', notConnected(name));
    const asking = { ...OUTSIDE_TURNS, chat_id: chat.id };
    const hands = new ClientHands({
      chat: () => chat,
      client_id: undefined,
      standby: machines.named(name),
      trusted: true,
      grants,
      timeout_secs: settings.requests.client_op_timeout_secs,
      request: askedFor(gone, opening => requests.open(asking, opening)),
    });
    return answered(work(hands));
  }
}

/** Errors of a machine as errors of the API. */
async function answered<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refused) throw new KernelError('forbidden_path', error.message);
    if (error instanceof Unanswered) throw new KernelError('no_client', error.message);
    if (error instanceof OperationError) {
      const detail = `The client answered: ${error.message}`;
      throw new KernelError('invalid_value', detail, { errors: [{ pointer: '/path', detail }] });
    }
    throw error;
  }
}

type Ask = (opening: NewRequest) => RequestHandle;

/** Requests that end when the caller has hung up, so that no dialog stays open for nobody. */
const askedFor =
  (gone: AbortSignal | undefined, ask: Ask): Ask =>
  opening => {
    const open = ask(opening);
    if (gone?.aborted) open.end();
    gone?.addEventListener('abort', () => open.end(), { once: true });
    return open;
  };

const encoded = ({ total, data }: FilePart): BytesRead => ({
  total,
  data: Buffer.from(data).toString('base64'),
});
