/**
 * A fake Bot API server, because there is no official one for tests. It stores messages and updates like Telegram, and rejects
 * what Telegram rejects.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkFile, checkParameters, type Given, photosOf, Refusal, seen } from './checks.ts';
import { METHODS, type Method } from './methods.ts';
import { asMessage, BOT, buttonsOf, type Shown } from './shown.ts';
import { fileOf, givenIn, type SentFile, send } from './wire.ts';

export const TOKEN = '42:a-token-of-the-tests';

interface Call {
  method: string;
  given: Given;
}

/** A fault that the fake produces instead of an answer. The first matching fault applies once. */
interface Fault {
  method: string;
  /** `hang`: never answers. `before`: waits before it handles the call. `after`: handles the call, then waits. */
  how: 'refuse' | 'hang' | 'before' | 'after';
  refusal?: Refusal;
  until?: Promise<unknown>;
}

export class FakeBotApi {
  readonly calls: Call[] = [];
  readonly shown: Shown[] = [];
  readonly drafts: { chat_id: number; text: string }[] = [];
  readonly files = new Map<string, Uint8Array>();
  readonly #faults: Fault[] = [];
  #updates: { update_id: number }[] = [];
  /** The waiting polls. */
  #waiting = new Set<() => void>();
  #nextUpdate = 1000;
  #nextMessage = 1;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  async start(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  /** The updates that the bot has not confirmed. */
  get unconfirmed(): number {
    return this.#updates.length;
  }

  fault(fault: Fault): void {
    this.#faults.push(fault);
  }

  /** Drops the unused faults. */
  forget(): void {
    this.#faults.length = 0;
  }

  of(method: Method): Given[] {
    return this.calls.filter(call => call.method === method).map(({ given }) => given);
  }

  /** Sends a message of a user. Returns the ids of the update and of the message. */
  write(
    from: { id: number; first_name: string },
    more: Given = {},
    chat: Given = { id: from.id, type: 'private' },
  ) {
    const message_id = this.#nextMessage++;
    const message = { message_id, date: 1, chat, from: { is_bot: false, ...from }, ...more };
    return { update_id: this.push({ message }), message_id };
  }

  /** Presses a button as a user. */
  press(from: { id: number; first_name: string }, { chat_id, message_id }: Shown, data: string): number {
    const message = {
      message_id,
      date: 1,
      chat: { id: chat_id, type: chat_id < 0 ? 'supergroup' : 'private' },
    };
    const query = {
      id: `q${this.#nextUpdate}`,
      from: { is_bot: false, ...from },
      message,
      chat_instance: 'c',
      data,
    };
    return this.push({ callback_query: query });
  }

  /** Edits a message as a user. Returns the id of the update. */
  edit(
    from: { id: number; first_name: string },
    message_id: number,
    more: Given,
    chat: Given = { id: from.id, type: 'private' },
  ): number {
    const edited = { message_id, date: 1, edit_date: 2, chat, from: { is_bot: false, ...from }, ...more };
    return this.push({ edited_message: edited });
  }

  push(update: object): number {
    const update_id = this.#nextUpdate++;
    this.#updates.push({ update_id, ...update });
    for (const wake of this.#waiting) wake();
    return update_id;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const file = path.startsWith(`/file/bot${TOKEN}/`)
      ? this.files.get(path.split('/').at(-1) as string)
      : undefined;
    if (file) return void response.end(file);
    const [, token, name = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
    try {
      const given = await givenIn(request);
      this.calls.push({ method: name, given });
      if (token !== TOKEN) throw new Refusal(401, 'Unauthorized');
      if (!Object.hasOwn(METHODS, name)) throw new Refusal(404, 'Not Found');
      const fault = this.#faultFor(name);
      if (fault?.how === 'hang') return;
      if (fault?.refusal) throw fault.refusal;
      if (fault?.how === 'before') await fault.until;
      const result = await this.#answer(name as Method, given, request);
      await fault?.until;
      send(response, 200, { ok: true, result });
    } catch (error) {
      const { code, message, parameters } =
        error instanceof Refusal ? error : new Refusal(500, String(error));
      send(response, code, {
        ok: false,
        error_code: code,
        description: message,
        ...(parameters && { parameters }),
      });
    }
  }

  #faultFor(method: string): Fault | undefined {
    const index = this.#faults.findIndex(fault => fault.method === method);
    return index < 0 ? undefined : this.#faults.splice(index, 1)[0];
  }

  async #answer(method: Method, given: Given, request: IncomingMessage): Promise<unknown> {
    checkParameters(method, given);
    switch (method) {
      case 'getMe':
        return {
          ...BOT,
          can_join_groups: true,
          can_read_all_group_messages: false,
          supports_inline_queries: false,
        };
      case 'getUpdates':
        return this.#poll(given, request);
      case 'setMyCommands':
      case 'sendChatAction':
      case 'answerCallbackQuery':
        return true;
      case 'sendMessage':
        return this.#show(given, { text: seen(given) });
      case 'sendMessageDraft':
        if ((given.chat_id as number) < 0)
          throw new Refusal(400, 'Bad Request: drafts are for private chats');
        this.drafts.push({ chat_id: given.chat_id as number, text: seen(given, { empty: true }) });
        return true;
      case 'editMessageText':
        return this.#edit(given);
      case 'sendPhoto':
        return this.#file(given, 'photo');
      case 'sendDocument':
        return this.#file(given, 'document');
      case 'sendVoice':
        return this.#file(given, 'voice');
      case 'sendMediaGroup':
        return Array.fromAsync(await photosOf(given), photo => this.#file({ ...given, photo }, 'photo'));
      case 'getFile': {
        const file_id = given.file_id as string;
        if (!this.files.has(file_id)) throw new Refusal(400, 'Bad Request: invalid file_id');
        return { file_id, file_unique_id: file_id, file_path: `files/${file_id}` };
      }
      default:
        return method satisfies never;
    }
  }

  /** Confirms and removes all updates before the offset. */
  async #poll({ offset = 0, timeout = 0, limit = 100 }: Given, request: IncomingMessage): Promise<unknown> {
    this.#updates = this.#updates.filter(({ update_id }) => update_id >= (offset as number));
    if (this.#updates.length === 0 && (timeout as number) > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, (timeout as number) * 1000);
      this.#waiting.add(resolve);
      request.socket.once('close', resolve);
      await promise;
      clearTimeout(timer);
      this.#waiting.delete(resolve);
    }
    return this.#updates.slice(0, limit as number);
  }

  async #file(given: Given, kind: SentFile['kind']): Promise<object> {
    const file = given[kind] as File;
    await checkFile(kind, file);
    return this.#show(given, { text: '', file: await fileOf(kind, file) });
  }

  #show(given: Given, more: Pick<Shown, 'text' | 'file'>): object {
    const { reply_parameters } = given as { reply_parameters?: { message_id: number } };
    const message: Shown = {
      chat_id: given.chat_id as number,
      message_id: this.#nextMessage++,
      thread_id: (given.message_thread_id as number | undefined) ?? 0,
      html: given.parse_mode === 'HTML',
      buttons: buttonsOf(given),
      ...(reply_parameters && { reply_to: reply_parameters.message_id }),
      ...more,
    };
    this.shown.push(message);
    return asMessage(message);
  }

  #edit(given: Given): object {
    const message = this.shown.find(
      ({ chat_id, message_id }) => chat_id === given.chat_id && message_id === given.message_id,
    );
    if (!message) throw new Refusal(400, 'Bad Request: message to edit not found');
    const [text, buttons, html] = [seen(given), buttonsOf(given), given.parse_mode === 'HTML'];
    const before = JSON.stringify([message.text, message.buttons, message.html]);
    if (before === JSON.stringify([text, buttons, html])) {
      throw new Refusal(
        400,
        'Bad Request: message is not modified: specified new message content and reply markup are exactly the same',
      );
    }
    Object.assign(message, { text, buttons, html });
    return asMessage(message);
  }
}
