/** The machine of a client with hands: every method sends a client_op, which the client executes (OP-1 to OP-7). */
import { DECISIONS, type OpsResult, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { v7 as uuidv7 } from 'uuid';
import {
  type ByteRange,
  type ChatRecord,
  type CommandAnswer,
  type FilePart,
  type Hands,
  type Level,
  type NewRequest,
  OperationError,
  Refused,
  type RequestHandle,
  Unanswered,
} from '../ports/index.ts';
import { answerText, commandAnswer, errorWords, failureText, shapedAnswer } from './answers.ts';
import { pathThere } from './client-path.ts';
import type { Grants } from './grants.ts';

/** The output of an operation that its owner refused without a word of his own (OP-5). */
const REFUSAL = 'The user declined this operation.';
/** The output of an operation that no client answered (OP-10). */
export const NO_ANSWER = 'No answer came from the client in time.';

const LIST_UP_SECS = 10;
const BYTES_SECS = 60;

interface HandsSetup {
  /** The chat as it stands now: an earlier call of the turn may have changed it. */
  chat(): Pick<ChatRecord, 'id' | 'workdir'>;
  /** The client that is to execute; undefined: any client with hands (EV-15). */
  client_id: string | undefined;
  /** The sub-agent that asks (OP-7). */
  agent?: string | undefined;
  /** True where the master or a trusted person speaks. For others grants do not count, and they leave none behind. */
  trusted: boolean;
  grants: Grants;
  /** The time in seconds that an operation may wait for a person to decide. */
  timeout_secs: number;
  request(opening: NewRequest): RequestHandle;
}

interface Asking {
  timeout_secs?: number;
  /**
   * No owner is asked: the operation reads names alone, or the owner has allowed the whole of which this is a part.
   */
  silent?: boolean;
}

export class ClientHands implements Hands {
  readonly #setup: HandsSetup;

  constructor(setup: HandsSetup) {
    this.#setup = setup;
  }

  async read(path: string): Promise<string> {
    return answerText(await this.#ask('read', { path: this.#there(path) }));
  }

  async write(path: string, content: string): Promise<string> {
    return answerText(await this.#ask('write', { path: this.#there(path), content }));
  }

  async shell(command: string, { timeout_secs }: { timeout_secs: number }): Promise<CommandAnswer> {
    const { workdir } = this.#setup.chat();
    const params = { command, ...(workdir !== null && { workdir }), timeout_secs };
    // The owner needs time to decide, and the command may run for all of its own time.
    const patience = Math.max(this.#setup.timeout_secs, timeout_secs);
    return commandAnswer(await this.#ask('shell', params, { timeout_secs: patience }));
  }

  async readBytes({ path, offset, size }: ByteRange): Promise<FilePart> {
    const params = { path: this.#there(path), offset, size };
    const answer = await this.#ask('read_bytes', params, { timeout_secs: BYTES_SECS });
    const { total, data } = shapedAnswer('read_bytes', answer);
    return { total, data: Buffer.from(data, 'base64') };
  }

  async writeBytes(
    { path, offset, data, truncate }: Parameters<Hands['writeBytes']>[0],
    { silent = false }: Pick<Asking, 'silent'> = {},
  ): Promise<number> {
    const params = {
      path: this.#there(path),
      offset,
      data: Buffer.from(data).toString('base64'),
      truncate,
    };
    const answer = await this.#ask('write_bytes', params, { timeout_secs: BYTES_SECS, silent });
    return shapedAnswer('write_bytes', answer).total;
  }

  async findBytes({ path, data, offset, limit }: Parameters<Hands['findBytes']>[0]) {
    const pattern = Buffer.from(data).toString('base64');
    const params = { path: this.#there(path), data: pattern, offset, limit };
    const answer = await this.#ask('find_bytes', params, { timeout_secs: BYTES_SECS });
    return shapedAnswer('find_bytes', answer);
  }

  async listUp(directory: string, names: readonly string[]): Promise<Level[]> {
    const params = { path: this.#there(directory), names: [...names] };
    const answer = await this.#ask('list_up', params, { timeout_secs: LIST_UP_SECS, silent: true });
    return shapedAnswer('list_up', answer).dirs;
  }

  #there(path: string): string {
    return pathThere(this.#setup.chat().workdir, path);
  }

  async #ask(
    action: string,
    params: Record<string, unknown>,
    { timeout_secs = this.#setup.timeout_secs, silent = false }: Asking = {},
  ): Promise<OpsResult> {
    const { chat, client_id, agent, request } = this.#setup;
    const id = uuidv7();
    const permission = {
      chat_id: chat().id,
      action,
      command: action === 'shell' ? String(params.command) : undefined,
    };
    const decisions = silent ? undefined : this.#decisionsFor(permission);
    const { ending } = request({
      kind: 'op',
      event: {
        type: 'client_op',
        id,
        op_id: id,
        action,
        ...params,
        ...(decisions && { decisions: [...decisions] }),
        ...(agent !== undefined && { agent }),
        ...(client_id !== undefined && { client_id }),
      },
      timeout_secs,
      ...(decisions && { decisions }),
      ...(agent !== undefined && { agent }),
    });
    const ended = await ending;
    if (ended.reason !== 'answered') {
      throw new Unanswered(ended.reason === 'expired' ? NO_ANSWER : UNFINISHED_RESULT);
    }
    const { answer } = ended;
    const { decision, error } = answer;
    if (decision === 'allow_session' || decision === 'allow_always') {
      await this.#setup.grants.give(decision, permission);
    }
    // An error that is left out and one that is empty both say nothing: the model then reads the canonical refusal.
    if (decision === 'deny') throw new Refused(error?.trim() ? errorWords(error) : REFUSAL);
    if (error !== undefined) throw new OperationError(failureText({ ...answer, error }));
    return answer;
  }

  /** The decisions that the owner may choose from; undefined where no owner has to be asked. */
  #decisionsFor(permission: Parameters<Grants['covers']>[0]): readonly string[] | undefined {
    const { trusted, grants } = this.#setup;
    if (!trusted) return DECISIONS.filter(decision => decision === 'allow' || decision === 'deny');
    return grants.covers(permission) ? undefined : DECISIONS;
  }
}
