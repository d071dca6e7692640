/** The records of chats and messages, and the service messages in a history. */
import type { Statement } from './statement.ts';

export const CHAT_AND_MESSAGES: Readonly<Record<string, Statement>> = {
  'chat.1': {
    says: 'The id of a chat is a uuid.',
    by: ['chats.test.ts › [CHAT-1] accepts an empty object, and fills every field with its default'],
  },
  'chat.2': {
    says: 'A chat has a working directory or null, which is read back.',
    by: ['chats.test.ts › [CHAT-1] stores all fields that can be given'],
  },
  'chat.3': {
    says: 'The working directory is on the client, where nothing else is said, or on the server.',
    by: [
      'chats.test.ts › [CHAT-1] accepts an empty object, and fills every field with its default',
      'chats.test.ts › [CHAT-1] stores all fields that can be given',
    ],
  },
  'chat.4': {
    says: 'A branch names the chat that it was forked from.',
    by: [
      'fork.test.ts › [FORK-4] stores the parent and the message in the branch, and starts it with its marker',
    ],
  },
  'chat.5': {
    says: 'A branch names the message at which it was forked.',
    by: [
      'fork.test.ts › [FORK-4] stores the parent and the message in the branch, and starts it with its marker',
    ],
  },
  'chat.6': {
    says: 'The reasoning setting of a chat is off, low, mid or high.',
    by: ['chats.test.ts › [CHAT-3] accepts four levels, and null for none'],
  },
  'chat.7': {
    says: 'A chat has a shelf.',
    by: [
      'chats.test.ts › [CHAT-1] stores all fields that can be given',
      'chats.test.ts › [CHAT-5] lists chats newest first, page by page, by shelf, project and title',
    ],
  },
  'chat.8': {
    says: 'A chat has a project.',
    by: [
      'chats.test.ts › [CHAT-1] stores all fields that can be given',
      'chats.test.ts › [CHAT-5] lists chats newest first, page by page, by shelf, project and title',
    ],
  },
  'chat.9': {
    says: 'A chat has a model.',
    by: [
      'chats.test.ts › [CHAT-1] stores all fields that can be given',
      'chats.test.ts › [CHAT-4] sets and clears a model, and rejects an unknown one',
    ],
  },
  'chat.10': {
    says: 'A chat has a toolset.',
    by: [
      'chats.test.ts › [CHAT-1] stores all fields that can be given',
      'folding.test.ts › [BT-11] offers a loaded group from the next step on, and in all later turns',
    ],
  },
  'chat.11': {
    says: 'A chat has a compaction profile.',
    by: [
      'chats.test.ts › [CHAT-1] stores all fields that can be given',
      'packages/kernel/test/compaction.test.ts › follows the profile: off has no limit, tight compacts early, roomy late',
    ],
  },
  'chat.12': {
    says: 'A chat has the summary of what was folded.',
    by: ['compaction.test.ts › [HIST-1] returns the summary of the chat and where it ends'],
  },
  'chat.13': {
    says: 'A chat has a notebook of its own.',
    by: [
      'notebook.test.ts › [CHAT-8] returns an empty notebook at first, and stores a new text only for its chat',
    ],
  },
  'chat.14': {
    says: 'A chat has a plan of its own.',
    by: [
      'plan.test.ts › [PLAN-1] keeps the plan after its turn, returns and clears it, and leaves it out of the history',
    ],
  },
  'message.1': {
    says: 'A message has a role.',
    by: [
      'messages.test.ts › [MSG-1] stores a turn as messages of blocks without internal data of the kernel',
    ],
  },
  'message.2': {
    says: 'The content of a message is a list of blocks.',
    by: [
      'messages.test.ts › [MSG-1] stores a turn as messages of blocks without internal data of the kernel',
    ],
  },
  'message.3': {
    says: 'A message may have a sender.',
    by: ['messages.test.ts › [MSG-1] stores a message with a sender as not from the master'],
  },
  'message.4': {
    says: "A message without a sender is flagged as the master's.",
    by: ['messages.test.ts › [MSG-1] stores a message with a sender as not from the master'],
  },
  'message.5': {
    says: 'The flag is set on the marker of a fold too.',
    by: [
      'compaction.test.ts › [MARK-1] stores the exact marker as one text block with role user, of the master',
    ],
  },
  'message.6': {
    says: 'Clients do not show the marker of a fold as words of the master.',
    by: [
      'apps/terminal/test/items.test.ts › shows notes, marks, images, operations, and an unknown kind',
      'compaction.test.ts › [EV-5] sends compacting before the pause, then the item, then done',
    ],
  },
  'message.7': {
    says: 'The id of a message is the cursor of pages.',
    by: [
      'messages.test.ts › [MSG-2] returns the tail first, then older pages, and an empty page at the start of history',
    ],
  },
  'message.8': {
    says: 'The id of a message names what DELETE rewinds to.',
    by: ['messages.test.ts › [MSG-3] deletes a message and all after it in a rewind, also for the model'],
  },
  'message.9': {
    says: 'The id of a message names where a fork begins.',
    by: ['fork.test.ts › [FORK-1] copies the messages before the given one, and leaves the parent unchanged'],
  },
  'marker.1': {
    says: 'The marker of a fold is one exact text.',
    by: [
      'compaction.test.ts › [MARK-1] stores the exact marker as one text block with role user, of the master',
    ],
  },
  'marker.2': {
    says: 'The marker of a fold is a message of role user with a single text block.',
    by: [
      'compaction.test.ts › [MARK-1] stores the exact marker as one text block with role user, of the master',
    ],
  },
  'marker.3': {
    says: 'By its exact text a fold is an item of its own to every reader.',
    by: [
      'compaction.test.ts › [EV-5] sends compacting before the pause, then the item, then done',
      'fork.test.ts › [FORK-2] copies the summary if its last message is in the copy, else the one before it',
    ],
  },
  'marker.4': {
    says: 'No prompt contains the marker of a fold.',
    by: [
      'compaction.test.ts › [HIST-1] [MARK-1] gives the model the summary, then the last exchange unchanged, then the new message',
    ],
  },
  'marker.5': {
    says: 'Among the items the marker of a fold has the kind compaction and is no machine_note.',
    by: ['compaction.test.ts › [EV-5] sends compacting before the pause, then the item, then done'],
  },
  'marker.6': {
    says: 'The marker of a fork begins with [forked].',
    by: [
      'fork.test.ts › [MARK-2] starts a branch with a message that begins with [forked] and is hidden from models',
    ],
  },
  'marker.7': {
    says: 'The marker of a fork is the first message of the branch.',
    by: [
      'fork.test.ts › [MARK-2] starts a branch with a message that begins with [forked] and is hidden from models',
      'fork.test.ts › [FORK-4] stores the parent and the message in the branch, and starts it with its marker',
    ],
  },
  'marker.8': {
    says: 'No prompt contains the marker of a fork.',
    by: [
      'fork.test.ts › [MARK-2] starts a branch with a message that begins with [forked] and is hidden from models',
    ],
  },
  'marker.9': {
    says: 'Among the items the marker of a fork is a machine_note with the note fork_marker.',
    by: [
      'fork.test.ts › [FORK-4] stores the parent and the message in the branch, and starts it with its marker',
    ],
  },
  'marker.10': {
    says: 'Where a model drew an image, history has [image <id>] <url>.',
    by: [
      'images.test.ts › [MARK-3] stores a marker for a drawn image in the history, which later turns read',
    ],
  },
  'marker.11': {
    says: 'The marker of a file has its id, its name, its size and the path at which it can be read.',
    by: [
      'files.test.ts › [FILE-4] gives the model a marker without bytes, and returns the item without data',
    ],
  },
  'marker.12': {
    says: 'The model gets the marker instead of the file.',
    by: [
      'files.test.ts › [FILE-4] gives the model a marker without bytes, and returns the item without data',
    ],
  },
  'marker.13': {
    says: 'The path of the marker can be read on the machine where shell runs.',
    by: [
      'attached-files.test.ts › [MARK-4] writes the file to the path of its marker before the model request',
      'attached-files.system.test.ts › [FILE-4] [BT-1] lets the tools of the turn read the file there',
      'files.test.ts › [FILE-4] [BT-1] reads the file with read_file at that path, and no other file of the kernel',
    ],
  },
};
