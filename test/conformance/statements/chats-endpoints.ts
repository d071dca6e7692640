/** The addresses of chats and turns. */
import type { Statement } from './statement.ts';

export const CHATS_ENDPOINTS: Readonly<Record<string, Statement>> = {
  'endpoints.1': {
    says: 'All of /v1 needs the token of the proxy, but for the schema.',
    by: [
      'test/proxy/document.system.test.ts › [AUTH-2] leaves exactly the documented routes open',
      'test/proxy/document.system.test.ts › [AUTH-2] [AUTH-3] %s, rejects every operation except for the documented open ones',
    ],
  },
  'endpoints.2': {
    says: 'Bodies are JSON where nothing else is said.',
    by: ['packages/server/test/problems.test.ts › accepts application/json only, with any parameters'],
  },
  'endpoints.3': {
    says: 'A malformed body is 422.',
    by: ['turn-request.test.ts › [TURN-9] returns 422 for %s', 'errors.test.ts › [API-8] %s'],
  },
  'chats.1': {
    says: 'POST /v1/chats takes workdir and workdir_on and answers the chat.',
    by: [
      'chats.test.ts › [CHAT-1] stores all fields that can be given',
      'chats.test.ts › [CHAT-1] accepts an empty object, and fills every field with its default',
    ],
  },
  'chats.2': {
    says: 'GET /v1/chats/{id} answers the chat with its workdir.',
    by: ['chats.test.ts › [CHAT-1] stores all fields that can be given'],
  },
  'chats.3': {
    says: 'POST messages takes a turn request and answers the stream.',
    by: ['events.test.ts › [EV-1] streams plain server-sent events that proxies must not buffer or change'],
  },
  'chats.4': {
    says: 'GET messages takes limit and before, and answers a page, the tail of the history first.',
    by: [
      'messages.test.ts › [MSG-2] returns the tail first, then older pages, and an empty page at the start of history',
    ],
  },
  'chats.5': {
    says: 'DELETE of a message takes it and all after it out of the chat.',
    by: ['messages.test.ts › [MSG-3] deletes a message and all after it in a rewind, also for the model'],
  },
  'chats.6': {
    says: 'What a rewind took cannot be brought back.',
    by: ['messages.test.ts › [MSG-3] deletes a message and all after it in a rewind, also for the model'],
  },
  'chats.7': {
    says: 'GET items takes limit and before, an id of an item, and answers a page.',
    by: [
      'pages.test.ts › [ITEM-9] returns the whole history in pages of any limit, and only the last is empty',
      'pages.test.ts › [ITEM-9] returns only earlier items of the same message before an item inside a message',
    ],
  },
  'chats.8': {
    says: 'GET live replays the turn so far and goes on with its tail.',
    by: ['live.test.ts › [EV-12] replays earlier events with the mark, and sends new ones without it'],
  },
  'chats.9': {
    says: 'GET live takes mute, a list of types with commas.',
    by: ['live.test.ts › [EV-12] leaves out muted types, in the replay and after it'],
  },
  'chats.10': {
    says: 'POST fork takes before_message, which must be there, and a title, which may, and answers the new chat.',
    by: [
      'fork.test.ts › [FORK-2] copies all settings and data of the parent, and uses a given title',
      'fork.test.ts › [FORK-2] copies all settings and data of the parent, and uses a given title',
    ],
  },
  'chats.11': {
    says: 'POST cancel cancels the turn that runs.',
    by: [
      'cancel.test.ts › [TURN-10] gives open calls a synthetic result, ends the turn once, and stores the same in history',
    ],
  },
  'chats.12': {
    says: 'PUT workdir sets the directory and its machine, client by default, and answers the chat.',
    by: ['chats.test.ts › [CHAT-2] sets the working directory, and clears it with null'],
  },
  'chats.13': {
    says: 'PUT workdir with null clears it.',
    by: ['chats.test.ts › [CHAT-2] sets the working directory, and clears it with null'],
  },
  'chats.14': {
    says: 'PUT effort takes a level and answers the setting.',
    by: ['chats.test.ts › [CHAT-3] accepts four levels, and null for none'],
  },
  'chats.15': {
    says: 'PUT model takes a model and answers the chat.',
    by: ['chats.test.ts › [CHAT-4] sets and clears a model, and rejects an unknown one'],
  },
  'chats.16': {
    says: 'GET plan answers the whole plan.',
    by: [
      'plan.test.ts › [PLAN-1] keeps the plan after its turn, returns and clears it, and leaves it out of the history',
    ],
  },
  'chats.17': {
    says: 'DELETE plan erases it.',
    by: [
      'plan.test.ts › [PLAN-1] keeps the plan after its turn, returns and clears it, and leaves it out of the history',
      'plan.test.ts › [PLAN-1] [EV-9] notifies a viewer of a running turn that the plan was cleared',
    ],
  },
  'chats.18': {
    says: 'GET spend answers what was spent, with prefix_tokens.',
    by: ['usage.test.ts › [EV-4] sends usage of each request, sums it in done, and adds it to the chat'],
  },
  'chats.19': {
    says: 'GET notes answers the notebook.',
    by: [
      'notebook.test.ts › [CHAT-8] returns an empty notebook at first, and stores a new text only for its chat',
    ],
  },
  'chats.20': {
    says: 'POST /v1/sleep/wake wakes what sleeps.',
    by: [
      'sleep.test.ts › [SLP-2] sends sleeping first, queues the turn, and runs it on the same stream after the wake',
    ],
  },
};
