/** Files and images, results and progress of operations. */
import type { Statement } from './statement.ts';

export const FILES_AND_RESULTS: Readonly<Record<string, Statement>> = {
  'files.1': {
    says: 'An upload is raw bytes, no form and no base64.',
    by: [
      'files.test.ts › [FILE-1] stores bytes of any type as a file with the decoded name',
      'files.test.ts › [FILE-1] rejects a form',
    ],
  },
  'files.2': {
    says: 'Content-Type is the media type.',
    by: ['files.test.ts › [FILE-1] stores bytes of any type as a file with the decoded name'],
  },
  'files.3': {
    says: 'X-File-Name is the name, percent-encoded UTF-8.',
    by: [
      'files.test.ts › [FILE-1] stores bytes of any type as a file with the decoded name',
      'files.test.ts › [FILE-1] rejects the name %j, which is not percent-encoded UTF-8',
    ],
  },
  'files.4': {
    says: 'The answer is id, name, media_type and size.',
    by: ['files.test.ts › [FILE-1] stores bytes of any type as a file with the decoded name'],
  },
  'files.5': {
    says: 'What is larger than files.max_bytes is 413.',
    by: [
      'files.test.ts › [FILE-2] rejects a larger Content-Length before the body is sent',
      'files.test.ts › [FILE-2] rejects a larger body without Content-Length while receiving it, and removes it',
    ],
  },
  'files.6': {
    says: 'GET /files/{id} answers the bytes.',
    by: ['files.test.ts › [FILE-3] returns the whole file with its type, length and name'],
  },
  'files.7': {
    says: 'GET /images/{id} answers the bytes, which never change.',
    by: ['images.test.ts › [IMG-2] stores a drawn image as an item of its turn, and serves it unchanged'],
  },
  'files.8': {
    says: 'The key to an image is its uuid.',
    by: ['images.test.ts › [IMG-2] stores a drawn image as an item of its turn, and serves it unchanged'],
  },
  'ops.1': {
    says: 'POST ops/result takes the id of an operation or of an extra call.',
    by: [
      'client-answers.test.ts › [OP-9] may name its operation as op_id',
      'extra-tools.test.ts › [XT-2] sends a call to the client under its own id, and accepts the answer under it',
    ],
  },
  'ops.2': { says: 'POST ops/result takes a result.', by: ['client-answers.test.ts › [OP-9] may be %s'] },
  'ops.3': {
    says: 'POST ops/result takes an error.',
    by: ['client-answers.test.ts › [OP-9] may be %s'],
  },
  'ops.4': {
    says: 'POST ops/result takes a decision.',
    by: [
      'approvals.system.test.ts › [OP-4] are offered by the kernel, and the chosen one is part of the resolution',
    ],
  },
  'ops.5': {
    says: 'POST ops/result takes blocks of title and content.',
    by: [
      'client-answers.test.ts › [OP-9] may be %s',
      'extra-tools.test.ts › [XT-3] renders sections in the kernel, and prefers them to a result',
    ],
  },
  'ops.6': {
    says: 'POST ops/progress takes an id and an output.',
    by: [
      'extra-tools.test.ts › [OP-8] replaces progress, truncates it to its last 8 KiB, redacts secrets, and never stores it',
    ],
  },
  'ops.7': {
    says: 'Both are acknowledged.',
    by: [
      'extra-tools.test.ts › [XT-2] sends a call to the client under its own id, and accepts the answer under it',
      'extra-tools.test.ts › [OP-8] replaces progress, truncates it to its last 8 KiB, redacts secrets, and never stores it',
    ],
  },
  'ops.8': {
    says: 'An operation is found by its id, whatever chat the path names.',
    by: ['client-answers.test.ts › [OP-9] is matched by its id, although the path names the chat of %s'],
  },
  'ops.9': {
    says: 'The decision that was taken is sent in decision.',
    by: [
      'approvals.system.test.ts › [OP-4] are offered by the kernel, and the chosen one is part of the resolution',
    ],
  },
  'ops.10': {
    says: 'deny without an error becomes the canonical refusal.',
    by: ['client-answers.test.ts › [OP-9] may be %s'],
  },
  'ops.11': {
    says: 'Of an extra tool blocks are preferred.',
    by: ['extra-tools.test.ts › [XT-3] renders sections in the kernel, and prefers them to a result'],
  },
  'ops.12': {
    says: 'Each block is a section under a line == title.',
    by: ['extra-tools.test.ts › [XT-3] renders sections in the kernel, and prefers them to a result'],
  },
  'ops.13': {
    says: 'read_file and shell have the same sections.',
    by: [
      'client-ops.system.test.ts › [OP-1] run on the client, and the model gets the results',
      'machine-tools.system.test.ts › [BT-1] writes, edits and reads files and runs commands, with results in one format of sections',
    ],
  },
  'ops.14': {
    says: 'The whole output of a long operation comes in its result.',
    by: [
      'extra-tools.test.ts › [OP-8] replaces progress, truncates it to its last 8 KiB, redacts secrets, and never stores it',
      'extra-tools.test.ts › [XT-2] sends a call to the client under its own id, and accepts the answer under it',
    ],
  },
  'progress.1': {
    says: 'A snapshot takes the place of the one before.',
    by: [
      'extra-tools.test.ts › [OP-8] replaces progress, truncates it to its last 8 KiB, redacts secrets, and never stores it',
      'packages/kernel/test/feed.test.ts › [EV-3] replaces the previous snapshot, so that a flood costs only its last one, and keeps ids',
    ],
  },
  'progress.2': {
    says: 'A snapshot is a tool_progress event.',
    by: [
      'extra-tools.test.ts › [OP-8] replaces progress, truncates it to its last 8 KiB, redacts secrets, and never stores it',
    ],
  },
  'progress.3': {
    says: 'A snapshot is cut at a border of UTF-8.',
    by: [
      'extra-tools.test.ts › [OP-8] replaces progress, truncates it to its last 8 KiB, redacts secrets, and never stores it',
    ],
  },
  'progress.4': {
    says: 'A snapshot is cut to its last 8 KiB.',
    by: [
      'extra-tools.test.ts › [OP-8] replaces progress, truncates it to its last 8 KiB, redacts secrets, and never stores it',
    ],
  },
  'progress.5': {
    says: 'Secrets are taken out of a snapshot.',
    by: [
      'extra-tools.test.ts › [OP-8] replaces progress, truncates it to its last 8 KiB, redacts secrets, and never stores it',
    ],
  },
  'progress.6': {
    says: 'No history has a snapshot.',
    by: [
      'extra-tools.test.ts › [OP-8] replaces progress, truncates it to its last 8 KiB, redacts secrets, and never stores it',
    ],
  },
  'progress.7': {
    says: 'Clients post a few snapshots a second and not more.',
    by: [
      'packages/client/test/hands-late.test.ts › [OP-8] posts fewer snapshots on a slow connection, always the newest, and then the result',
    ],
  },
  'progress.8': {
    says: 'Progress of a sub-agent is dropped without a word.',
    by: [
      'agents.test.ts › [OP-8] [BT-10] accepts progress of a sub-agent without showing it, and shows what the agents do at the call',
    ],
  },
};
