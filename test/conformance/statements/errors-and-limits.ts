/** Errors, limits and versioning. */
import type { Statement } from './statement.ts';

export const ERRORS_AND_LIMITS: Readonly<Record<string, Statement>> = {
  'errors.1': {
    says: 'A body that is no JSON, or not of the schema, is 422.',
    by: ['turn-request.test.ts › [TURN-9] returns 422 for %s'],
  },
  'errors.2': {
    says: '422 comes before the kernel looks at what is meant.',
    by: ['turn-request.test.ts › [TURN-9] returns 422 for %s'],
  },
  'errors.3': {
    says: 'A malformed cursor is 400.',
    by: ['messages.test.ts › [MSG-4] returns 400 with different codes for a malformed and an unknown cursor'],
  },
  'errors.4': {
    says: 'A value that is wrong after parsing is 400.',
    by: ['turn-request.test.ts › [TURN-9] returns 400 for %j'],
  },
  'errors.5': {
    says: 'An extra tool with a name of the registry is 400.',
    by: ['extra-tools.test.ts › [XT-6] rejects a duplicate name and the name of an existing tool'],
  },
  'errors.6': {
    says: 'An unknown video in before is 400.',
    by: [
      'video.test.ts › [VID-4] returns pages after a video, by 50 by default, down to an empty page, and 400 for an unknown id',
    ],
  },
  'errors.7': {
    says: 'An upload that is too large is 413.',
    by: ['files.test.ts › [FILE-2] rejects a larger Content-Length before the body is sent'],
  },
  'errors.8': {
    says: 'A client that lacks an action answers unknown op action.',
    by: [
      'client-ops.system.test.ts › [OP-6] returns an error for an action that the client does not support, and continues the turn',
    ],
  },
  'errors.9': {
    says: 'Input that does not fit a tool is an error that the model reads and answers with another call.',
    by: [
      'tools.test.ts › [EV-3] returns an error that locates the mismatch for input that violates the schema',
      'modules.system.test.ts › [MOD-6] returns an input error of the module to the model, which calls again',
    ],
  },
  'errors.10': {
    says: 'The model reads an error where a request expired.',
    by: [
      'client-answers.test.ts › [OP-10] expires: the model gets an error, the turn continues, and a late answer is rejected',
    ],
  },
  'errors.11': {
    says: 'The model reads an error where the turn ended before its call.',
    by: [
      'extra-tools.test.ts › [XT-4] ends the turn with its parallel calls after a successful call',
      'cancel.test.ts › [TURN-10] gives open calls a synthetic result, ends the turn once, and stores the same in history',
    ],
  },
  'errors.12': {
    says: 'The model reads an error where a module is down.',
    by: [
      'modules.system.test.ts › [MOD-8] [MOD-9] stops and restarts a module without a kernel restart, and returns errors from its tools in between',
    ],
  },
  'errors.13': {
    says: 'Who sent something wrong gets 422 or 400.',
    by: [
      'turn-request.test.ts › [TURN-9] returns 422 for %s',
      'turn-request.test.ts › [TURN-9] returns 400 for %j',
    ],
  },
  'errors.14': {
    says: 'deny without an error is the canonical refusal.',
    by: ['client-answers.test.ts › [OP-9] may be %s'],
  },
  'limits.1': {
    says: 'files.max_bytes is configured, and over it an upload is 413.',
    by: [
      'files.test.ts › [FILE-2] accepts a file of exactly the limit',
      'files.test.ts › [FILE-2] rejects a larger body without Content-Length while receiving it, and removes it',
    ],
  },
  'limits.2': {
    says: 'A snapshot is its last 8 KiB, cut at a border of UTF-8.',
    by: [
      'extra-tools.test.ts › [OP-8] replaces progress, truncates it to its last 8 KiB, redacts secrets, and never stores it',
    ],
  },
  'limits.3': {
    says: 'A few snapshots a second are advice, to which clients hold.',
    by: [
      'packages/client/test/hands-late.test.ts › [OP-8] posts fewer snapshots on a slow connection, always the newest, and then the result',
    ],
  },
  'limits.4': {
    says: 'The history of videos is 200 long.',
    by: ['video.test.ts › [VID-3] keeps the last two hundred marks, also of concurrent requests'],
  },
  'limits.5': {
    says: 'The place in a video is kept within 2% and 97%.',
    by: ['video.test.ts › [VID-2] stores a stop at %s of %s seconds as %s in its row'],
  },
  'limits.6': {
    says: 'limit counts messages, in pages of messages and of items.',
    by: [
      'pages.test.ts › [ITEM-9] limits the number of messages, including messages without items',
      'messages.test.ts › [MSG-2] returns the tail first, then older pages, and an empty page at the start of history',
    ],
  },
  'versioning.1': {
    says: 'The API is under /v1.',
    by: ['document.test.ts › puts the API under /v1, except for files, images and monitoring'],
  },
  'versioning.2': {
    says: 'The schema describes what there is now.',
    by: [
      'service.test.ts › [SVC-3] the document is OpenAPI 3.1 and describes every route',
      'test/openapi/stored.test.ts › [SVC-3] docs/openapi.json equals the response of a running kernel',
    ],
  },
  'versioning.3': {
    says: 'Both sets of events are sent.',
    by: ['events.test.ts › [EV-11] sends each step in both sets, the original first'],
  },
  'versioning.4': {
    says: 'Clients bear with kinds of items that they do not know.',
    by: [
      'packages/client/test/reducer.test.ts › shows an item of an unknown kind once, and ends it with its turn',
      'apps/terminal/test/items.test.ts › shows notes, marks, images, operations, and an unknown kind',
    ],
  },
  'versioning.5': {
    says: 'Clients skip decisions that they do not know.',
    by: [
      'apps/terminal/test/dialogs.test.ts › shows a line for each decision that it knows, with its label, and skips unknown ones [OP-4] [HANDS-7]',
      'approvals.system.test.ts › [OP-4] are optional for a client that does not know them',
    ],
  },
  'versioning.6': {
    says: 'Actions that a client does not know are answered with an error.',
    by: [
      'packages/client/test/hands-runner.test.ts › [OP-6] answers an unknown action with an error, without asking the owner',
      'client-ops.system.test.ts › [OP-6] returns an error for an action that the client does not support, and continues the turn',
    ],
  },
  'versioning.7': {
    says: 'A module is updated and restarted without the kernel.',
    by: [
      'packages/module-host/test/sockets.test.ts › [MOD-8] gets the last answers of a replaced module, and sends new calls to its successor',
      'modules.system.test.ts › [MOD-8] [MOD-9] stops and restarts a module without a kernel restart, and returns errors from its tools in between',
    ],
  },
};
