/** Items, and how their statuses follow each other. */
import type { Statement } from './statement.ts';

export const ITEMS: Readonly<Record<string, Statement>> = {
  'item.1': {
    says: 'An item has id, kind, status and turn_id.',
    by: [
      'items.test.ts › [ITEM-1] [ITEM-4] returns a turn from history as items numbered in messages, each call with its result',
      'items.test.ts › [ITEM-8] starts an item with everything needed to render it, extends it by deltas, and ends it with its final state',
    ],
  },
  'item.2': {
    says: 'There are nine kinds of items.',
    by: ['items.test.ts › [ITEM-1] lists nine kinds, consent_request and four statuses in the document'],
  },
  'item.3': {
    says: 'An item is running, completed, failed or aborted.',
    by: ['items.test.ts › [ITEM-1] lists nine kinds, consent_request and four statuses in the document'],
  },
  'item.4': {
    says: 'turn_id groups the items of one turn.',
    by: ['items.test.ts › [ITEM-10] replaces the live items of a turn with the tail of /items after done'],
  },
  'item.5': {
    says: 'A tool_call holds its result; no item is a result.',
    by: [
      'items.test.ts › [ITEM-2] puts the result into its call, live and in history, never into an item of its own',
    ],
  },
  'item.6': {
    says: 'The note of a machine_note is an id of the registry of fragments.',
    by: [
      'items.test.ts › [ITEM-3] names the fragment of a machine note, and hides it from the model',
      'fork.test.ts › [FORK-4] stores the parent and the message in the branch, and starts it with its marker',
    ],
  },
  'item.7': {
    says: 'Ids of history are {message_id}:{n}.',
    by: [
      'items.test.ts › [ITEM-1] [ITEM-4] returns a turn from history as items numbered in messages, each call with its result',
    ],
  },
  'item.8': {
    says: 'Ids of a live turn are {turn_id}:{n}.',
    by: ['items.test.ts › [ITEM-4] numbers live items inside their turn, from 0 without gaps'],
  },
  'item.9': {
    says: 'In ids, n is an ordinal number.',
    by: [
      'items.test.ts › [ITEM-4] numbers live items inside their turn, from 0 without gaps',
      'pages.test.ts › [ITEM-9] returns only earlier items of the same message before an item inside a message',
    ],
  },
  'item.10': {
    says: 'No live feed has the message of the user.',
    by: ['items.test.ts › [ITEM-5] returns the user message only from history, its image with the bytes'],
  },
  'item.11': {
    says: 'Who reconnects finds the message of the user in the history of items.',
    by: [
      'items.test.ts › [ITEM-5] returns the user message only from history, its image with the bytes',
      'items.test.ts › [ITEM-10] returns finished steps of a running turn from history, and a waiting call as running',
    ],
  },
  'item.12': {
    says: 'Client operations are items of the live stream alone.',
    by: ['client-ops.system.test.ts › [ITEM-5] are items of the live stream only, complete from their start'],
  },
  'item.13': {
    says: 'A message of a user has a list of attachments, each with a kind.',
    by: [
      'items.test.ts › [ITEM-6] returns an attached image with its bytes, and an attached file only with name, size and address',
    ],
  },
  'item.14': {
    says: 'An attached image has its bytes in base64.',
    by: [
      'items.test.ts › [ITEM-6] returns an attached image with its bytes, and an attached file only with name, size and address',
    ],
  },
  'item.15': {
    says: 'An attached file has name, size and url, and no bytes.',
    by: [
      'items.test.ts › [ITEM-6] returns an attached image with its bytes, and an attached file only with name, size and address',
      'files.test.ts › [FILE-4] gives the model a marker without bytes, and returns the item without data',
    ],
  },
  'item.16': {
    says: 'Calls are put together with their results by call_id.',
    by: [
      'pages.test.ts › [ITEM-7] returns a call with its result on any page',
      'events.test.ts › [EV-3] makes the id of a call unique in its chat, whatever id the model gives',
    ],
  },
  'item.17': {
    says: 'Images are put together by image_id.',
    by: ['images.test.ts › [IMG-2] stores a drawn image as an item of its turn, and serves it unchanged'],
  },
  'item-status.1': {
    says: 'item_started makes an item running, with all that is needed to draw it.',
    by: [
      'items.test.ts › [ITEM-8] starts an item with everything needed to render it, extends it by deltas, and ends it with its final state',
    ],
  },
  'item-status.2': {
    says: 'item_delta appends text.',
    by: [
      'items.test.ts › [ITEM-8] starts an item with everything needed to render it, extends it by deltas, and ends it with its final state',
    ],
  },
  'item-status.3': {
    says: 'item_delta replaces progress.',
    by: [
      'extra-tools.test.ts › [OP-8] replaces progress, truncates it to its last 8 KiB, redacts secrets, and never stores it',
      'packages/kernel/test/feed.test.ts › [EV-3] replaces the previous snapshot, so that a flood costs only its last one, and keeps ids',
    ],
  },
  'item-status.4': {
    says: 'item_delta brings a plan whole.',
    by: ['plan.test.ts › [EV-9] sends the whole plan on each change, and closes it when it is empty'],
  },
  'item-status.5': {
    says: 'An item stays running through its deltas.',
    by: [
      'items.test.ts › [ITEM-8] starts an item with everything needed to render it, extends it by deltas, and ends it with its final state',
    ],
  },
  'item-status.6': {
    says: 'item_completed carries the final status: completed, or failed or aborted.',
    by: [
      'items.test.ts › [ITEM-8] starts an item with everything needed to render it, extends it by deltas, and ends it with its final state',
      'items.test.ts › [ITEM-8] marks a failed step as failed, and a canceled one as aborted',
    ],
  },
  'item-status.7': {
    says: 'What item_completed carries is authoritative: it is what history has.',
    by: ['items.test.ts › [ITEM-11] returns the same items live, replayed, read back and repeated'],
  },
};
