/** Prepares what a request needs to succeed: «chat», «person» and so on name objects that are created for it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { HandsClient } from '../../harness/hands.ts';
import type { TestKernel } from '../../harness/kernel.ts';
import { PNG } from '../../harness/pictures.ts';
import { calls, stuck } from '../../harness/story.ts';
import type { Meanings } from './fitting.ts';

const place = (name: string) => fc.constant(`«${name}»`);
const PLACE = /«(\w+)»/g;

/** No server listens there; the keys are those in the example of RFC 8291. */
const BROWSER = {
  endpoint: 'http://127.0.0.1:9/push',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
};

/** By the name of a field or parameter, for all operations. */
const COMMON: Meanings = {
  model: fc.constant('scripted/plain'),
  surface_model: fc.constant('scripted/plain'),
  person_id: place('person'),
  into: place('other'),
  before_message: place('message'),
  path: place('path'),
  text: fc.constant('Hello.'),
  prompt: fc.constant('Hello.'),
  images: fc.constant([{ media_type: 'image/png', data: PNG.toString('base64') }]),
  files: fc.constant([{ id: '«file»' }]),
  toolset: fc.constant({ disabled: [] }),
  tools: fc.constant([]),
  metadata: fc.constant({ kept: true }),
  schema: fc.constant({ type: 'object', properties: {} }),
  input_schema: fc.constant({ type: 'object' }),
};
/** By the name of a placeholder in a path. */
const PATHS: Meanings = {
  id: place('chat'),
  message_id: place('message'),
  turn_id: place('turn'),
  name: place('module'),
};
/** Never due while a test runs. */
const WHEN: Meanings = {
  cron: fc.constant('0 0 29 2 *'),
  at: fc.constant('2096-02-29T00:00:00Z'),
  timezone: fc.constant('UTC'),
  chat_id: place('chat'),
  grants: fc.constant([{ tool: 'shell', target: 'npm test' }]),
};
/** Operations that use a name with another meaning. */
const OWN: Readonly<Record<string, Meanings>> = {
  listChats: { before: place('chat') },
  listMessages: { before: place('message') },
  listItems: { before: place('item') },
  listBooks: { before: place('book') },
  listDecisions: { before: place('message') },
  getBook: { id: place('book') },
  patchBook: { id: place('book') },
  deleteBook: { id: place('book') },
  listVideos: { before: place('video') },
  watchChat: { mute: fc.constant('text_delta,done') },
  readClientBytes: { id: place('hands') },
  findClientBytes: { id: place('hands') },
  copyFile: { id: place('sending') },
  // Its files are those on disk to restore.
  rewindFiles: { files: fc.constantFrom('preview', 'restore') },
  transcribe: { model: fc.constant('scripted/hears'), file_id: place('file') },
  speak: { model: fc.constant('scripted/speaks'), chat_id: place('chat'), message_id: place('message') },
  revokeApproval: { id: place('approval') },
  patchPerson: { id: place('person') },
  mergePerson: { id: place('person') },
  subscribeToPush: { endpoint: fc.constant(BROWSER.endpoint), keys: fc.constant(BROWSER.keys) },
  unsubscribeFromPush: { id: place('browser') },
  testPush: { id: place('browser') },
  patchMemory: { id: place('memory') },
  forgetMemory: { id: place('memory') },
  reviewMemory: { accept: fc.constant([]), discard: fc.array(place('memory'), { maxLength: 2 }) },
  createSchedule: WHEN,
  getSchedule: { id: place('schedule') },
  patchSchedule: { id: place('schedule'), ...WHEN },
  deleteSchedule: { id: place('schedule') },
  runSchedule: { id: place('schedule') },
  listScheduleRuns: { id: place('schedule'), before: fc.constant('2026-01-01T00:00:00.000Z') },
  signInToGuest: { name: fc.constant('desk') },
  signOutOfGuest: { name: fc.constant('desk') },
  getImage: { id: place('image') },
  getFile: { id: place('file') },
  activateVersion: { version_id: place('version') },
};

/** Valid bodies for operations whose fields depend on each other. */
const RIGHT: Readonly<Record<string, object>> = {
  startTurn: { text: 'Hello.' },
  // Who speaks is always the original's.
  retryTurn: { text: 'Hello.' },
  complete: { prompt: 'Hello.' },
  createSchedule: { text: 'Hello.', cron: '0 0 29 2 *' },
  answerRequest: { id: '«request»', result: 'Done.' },
  showProgress: { id: '«request»', output: 'Half.' },
  speak: { text: 'Hello.' },
  importChat: {
    source: 'elsewhere',
    key: '«key»',
    title: 'Herons',
    created_at: '2026-01-01T00:00:00.000Z',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Hello.' }], created_at: '2026-01-01T00:00:00.000Z' },
    ],
  },
};

/** Returns the meanings of the fields of a body, or of the parameters, of an operation. */
export const meaningsOf = (operationId: string, part: 'path' | 'query' | 'body'): Meanings => ({
  ...(part === 'path' ? PATHS : COMMON),
  ...OWN[operationId],
  // In the query, the files on disk; in the body, attachments.
  ...(operationId === 'retryTurn' && part === 'query' && { files: fc.constant('restore') }),
});
export const rightBody = (operationId: string): object | undefined => RIGHT[operationId];

/** The objects that a request needs: created on demand, released by `end`. */
export class World {
  readonly #kernel: TestKernel;
  readonly #directory: string;
  readonly #made = new Map<string, Promise<string>>();
  readonly #open: (() => Promise<unknown>)[] = [];

  constructor(kernel: TestKernel, directory: string) {
    this.#kernel = kernel;
    this.#directory = directory;
  }

  /** Returns the text with ids in all its placeholders. */
  async filled(text: string): Promise<string> {
    for (const [, name = ''] of text.matchAll(PLACE)) await this.#get(name);
    const values = new Map<string, string>();
    for (const [name, made] of this.#made) values.set(name, await made);
    return text.replace(PLACE, (_, name: string) => values.get(name) as string);
  }

  async end(): Promise<void> {
    for (const leave of this.#open) await leave();
  }

  #get(name: string): Promise<string> {
    const made = this.#made.get(name) ?? this.#make(name);
    this.#made.set(name, made);
    return made;
  }

  async #make(name: string): Promise<string> {
    const { api } = this.#kernel;
    switch (name) {
      case 'chat':
        return (await api.newChat()).id;
      case 'turn': {
        const stream = await api.turn(await this.#get('chat'), { text: 'Hello.' });
        await stream.all();
        return stream.turnId;
      }
      case 'message': {
        await this.#get('turn');
        return (await api.get(`/v1/chats/${await this.#get('chat')}/messages`)).body.messages[0].id;
      }
      case 'item': {
        await this.#get('turn');
        return (await api.items(await this.#get('chat')))[0]!.id;
      }
      case 'version': {
        const message = await this.#get('message');
        return (await api.post(`/v1/chats/${await this.#get('chat')}/messages/${message}/rewind`)).body
          .version_id;
      }
      case 'person':
      case 'other':
        return (await api.post('/v1/persons/resolve', { surface: 'mail', external_id: crypto.randomUUID() }))
          .body.id;
      case 'file':
        return (await api.raw('/v1/files', { method: 'POST', body: 'a file' })).body.id;
      case 'video':
        await api.put('/v1/video/history/seen', { duration_s: 60 });
        return 'seen';
      case 'browser':
        return (await api.put('/v1/push/subscriptions', { ...BROWSER, on: ['schedule_ended'] })).body.id;
      case 'memory':
        return (await api.post('/v1/memory', { text: 'Likes herons.' })).body.id;
      case 'schedule':
        return (await api.post('/v1/schedules', { text: 'Hello.', cron: '0 0 29 2 *' })).body.id;
      case 'key':
        return crypto.randomUUID();
      case 'module':
        return 'small';
      case 'path':
        writeFileSync(join(this.#directory, 'a.txt'), 'a text');
        return join(this.#directory, 'a.txt');
      case 'book':
        return this.#book();
      case 'image':
        return this.#image();
      case 'request':
        return this.#request();
      case 'hands':
        return this.#hands();
      case 'sending':
        return this.#sending();
      case 'approval':
        return this.#approval();
      default:
        throw new Error(`nobody knows how to make ${name}`);
    }
  }

  async #book(): Promise<string> {
    const { api, upstream } = this.#kernel;
    const path = await this.#get('path');
    const { id: chat } = await api.newChat({
      workdir: this.#directory,
      workdir_on: 'server',
      toolset: { loaded: ['books'] },
    });
    upstream.next(calls(crypto.randomUUID(), 'books_upload', { path, title: crypto.randomUUID() }));
    await api.say(chat, 'Shelve it.');
    return (await api.get('/v1/books')).body.books[0].id;
  }

  async #image(): Promise<string> {
    const { api, upstream } = this.#kernel;
    upstream.next({ steps: [{ image: { media_type: 'image/png', bytes: PNG } }] });
    const stream = await api.turn(await this.#get('chat'), { text: 'Draw.' });
    const { id } = await stream.until('image');
    await stream.all();
    return id;
  }

  async #request(): Promise<string> {
    const { api, upstream } = this.#kernel;
    const { id: chat } = await api.newChat();
    const id = crypto.randomUUID();
    upstream.next(calls(id, 'scan', {}));
    const stream = await api.turn(chat, {
      text: 'Go.',
      extra_tools: [{ name: 'scan', description: 'Scans.' }],
    });
    await stream.until('extra_tool_call');
    this.#open.push(async () => {
      await api.post(`/v1/chats/${chat}/cancel`);
      await stream.closed();
    });
    return id;
  }

  /** A chat in which a client with hands has an open turn. */
  async #hands(): Promise<string> {
    const { api, upstream } = this.#kernel;
    const { id: chat } = await api.newChat();
    upstream.next(stuck({ text: 'Hm.' }));
    const hands = new HandsClient(api, {
      directory: this.#directory,
      // Other paths on this machine contain endless files.
      decide: ({ params }) =>
        String(params.path).startsWith(this.#directory) ? 'allow_always' : { error: 'not there' },
    });
    const { stream, over } = await hands.begin(chat, { text: 'Stay.' });
    await stream.until('text_delta');
    this.#open.push(async () => {
      await api.post(`/v1/chats/${chat}/cancel`);
      await over;
    });
    return chat;
  }

  /** A chat with a working directory on the server, in which a turn runs. */
  async #sending(): Promise<string> {
    const { api, upstream } = this.#kernel;
    const { id: chat } = await api.newChat({ workdir: this.#directory, workdir_on: 'server' });
    upstream.next(stuck({ text: 'Hm.' }));
    const stream = await api.turn(chat, { text: 'Stay.' });
    await stream.until('text_delta');
    this.#open.push(async () => {
      await api.post(`/v1/chats/${chat}/cancel`);
      await stream.closed();
    });
    return chat;
  }

  async #approval(): Promise<string> {
    const { api } = this.#kernel;
    const body = { path: await this.#get('path'), offset: 0, size: 1 };
    await api.post(`/v1/chats/${await this.#get('hands')}/ops/read_bytes`, body);
    return (await api.get('/v1/approvals')).body.approvals[0].id;
  }
}
