/** Pages of items, and forks. */
import type { Statement } from './statement.ts';

export const PAGES_AND_FORKS: Readonly<Record<string, Statement>> = {
  'paging.1': {
    says: 'limit counts messages: one gives several items or none.',
    by: ['pages.test.ts › [ITEM-9] limits the number of messages, including messages without items'],
  },
  'paging.2': {
    says: 'A page has any number of items.',
    by: ['pages.test.ts › [ITEM-9] limits the number of messages, including messages without items'],
  },
  'paging.3': {
    says: 'A short page is not the start of history; only an empty one is.',
    by: [
      'pages.test.ts › [ITEM-9] returns the whole history in pages of any limit, and only the last is empty',
      'messages.test.ts › [MSG-2] returns the tail first, then older pages, and an empty page at the start of history',
    ],
  },
  'paging.4': {
    says: 'After done the tail of /items takes the place of the items of the turn.',
    by: ['items.test.ts › [ITEM-10] replaces the live items of a turn with the tail of /items after done'],
  },
  'fork.1': {
    says: 'A branch has what stands strictly before the message.',
    by: ['fork.test.ts › [FORK-1] copies the messages before the given one, and leaves the parent unchanged'],
  },
  'fork.2': {
    says: 'The parent stays as it was.',
    by: [
      'fork.test.ts › [FORK-1] copies the messages before the given one, and leaves the parent unchanged',
      'fork.test.ts › [FORK-1] forks a parent during its turn without disturbing the turn',
    ],
  },
  'fork.3': {
    says: 'A branch inherits the shelf.',
    by: ['fork.test.ts › [FORK-2] copies all settings and data of the parent, and uses a given title'],
  },
  'fork.4': {
    says: 'A branch inherits the project.',
    by: ['fork.test.ts › [FORK-2] copies all settings and data of the parent, and uses a given title'],
  },
  'fork.5': {
    says: 'A branch inherits the model.',
    by: ['fork.test.ts › [FORK-2] copies all settings and data of the parent, and uses a given title'],
  },
  'fork.6': {
    says: 'A branch inherits the reasoning level.',
    by: ['fork.test.ts › [FORK-2] copies all settings and data of the parent, and uses a given title'],
  },
  'fork.7': {
    says: 'A branch inherits the toolset.',
    by: ['fork.test.ts › [FORK-2] copies all settings and data of the parent, and uses a given title'],
  },
  'fork.8': {
    says: 'A branch inherits the compaction profile.',
    by: ['fork.test.ts › [FORK-2] copies all settings and data of the parent, and uses a given title'],
  },
  'fork.9': {
    says: 'A branch inherits the working directory.',
    by: ['fork.test.ts › [FORK-2] copies all settings and data of the parent, and uses a given title'],
  },
  'fork.10': {
    says: 'A branch inherits the notebook.',
    by: ['fork.test.ts › [FORK-2] copies all settings and data of the parent, and uses a given title'],
  },
  'fork.11': {
    says: 'A branch inherits the plan.',
    by: ['fork.test.ts › [FORK-2] copies all settings and data of the parent, and uses a given title'],
  },
  'fork.12': {
    says: 'A branch inherits the summary where what it reaches to is in the copy.',
    by: [
      'fork.test.ts › [FORK-2] copies the summary if its last message is in the copy, else the one before it',
    ],
  },
  'fork.13': {
    says: 'A call that the cut left without a result gets that of a cancel.',
    by: [
      'fork.test.ts › [FORK-3] closes calls that the cut left open as a cancel would',
      'cancel.test.ts › [TURN-10] gives open calls a synthetic result, ends the turn once, and stores the same in history',
    ],
  },
  'fork.14': {
    says: 'A branch says where it came from and begins with its marker.',
    by: [
      'fork.test.ts › [FORK-4] stores the parent and the message in the branch, and starts it with its marker',
    ],
  },
  'fork.15': {
    says: 'A branch is a chat like others, and can be forked.',
    by: ['fork.test.ts › [FORK-5] [MARK-2] gives a branch of a branch only its own marker'],
  },
  'fork.16': {
    says: 'A branch outlives its parent.',
    by: [
      'fork.test.ts › [FORK-5] keeps a branch with its images and files after its parent is deleted, and counts its cost separately',
    ],
  },
  'fork.17': {
    says: 'Spend is counted for each chat.',
    by: [
      'fork.test.ts › [FORK-5] keeps a branch with its images and files after its parent is deleted, and counts its cost separately',
      'usage.test.ts › [CHAT-7] counts spend per chat, and reduces nothing after a rewind',
    ],
  },
  'fork.18': {
    says: 'Nothing but a person forks.',
    by: ['fork.test.ts › [FORK-6] offers the model no tool that forks'],
  },
};
