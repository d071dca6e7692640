/** The fields of a message, and the order of the reasoning levels. */
import type { Statement } from './statement.ts';

export const TURN_REQUEST: Readonly<Record<string, Statement>> = {
  'turn-request.1': {
    says: 'Types in mute are not sent.',
    by: ['turn-request.test.ts › [TURN-3] leaves out muted event types, and sends the others completely'],
  },
  'turn-request.2': {
    says: 'effort is off, low, mid or high, for this turn.',
    by: [
      'turn-request.test.ts › [TURN-4] applies an effort only to its turn, and reports it',
      'turn-request.test.ts › [TURN-9] returns 422 for %s',
    ],
  },
  'turn-request.3': {
    says: 'effort is stronger than all else.',
    by: ['effort.test.ts › [EFF-1] [EFF-3] prefers the turn if all sources set a level'],
  },
  'turn-request.4': {
    says: 'images are in base64, and the model sees them.',
    by: ['images.test.ts › [IMG-1] [ITEM-6] shows a sent image to the model, in this turn and in later ones'],
  },
  'turn-request.5': {
    says: 'files are ids of uploads; the model gets the marker and not the bytes.',
    by: [
      'files.test.ts › [FILE-4] gives the model a marker without bytes, and returns the item without data',
    ],
  },
  'turn-request.6': {
    says: 'context is text that the caller adds.',
    by: [
      'turn-request.test.ts › [TURN-2] passes context to the model before the text, keeps it in later prompts, and shows no item for it',
    ],
  },
  'turn-request.7': {
    says: 'project_docs says that the client knows list_up.',
    by: ['client-ops.system.test.ts › [OP-3] is only sent to clients that support it'],
  },
  'turn-request.8': {
    says: 'With project_docs the kernel builds the [project] block.',
    by: [
      'project.test.ts › [TURN-5] reads the project of hands with project_docs, and gives only the directory for other clients',
      'project.test.ts › [OP-11] puts files of all levels into the first request, the nearest last, without a visible call',
    ],
  },
  'turn-request.9': {
    says: 'extra_tools are tools of this turn.',
    by: [
      'extra-tools.test.ts › [TURN-6] offers an extra tool to the model after the others, for this turn only',
    ],
  },
  'turn-request.10': {
    says: 'anchor binds the turn to another surface.',
    by: [
      'anchor.test.ts › [TURN-7] returns an anchor while its turn is queued, while it runs, after its end, and after a restart',
    ],
  },
  'turn-request.11': {
    says: 'chat_title is taken.',
    by: ['turn-request.test.ts › [TURN-8] chat_title sets the title of a chat without one'],
  },
  'turn-request.12': {
    says: 'reply_to_ext_id is taken.',
    by: ['turn-request.test.ts › [TURN-8] shows a quote next to the text, and passes it to the model'],
  },
  'turn-request.13': {
    says: 'reply_to_text is taken.',
    by: ['turn-request.test.ts › [TURN-8] shows a quote next to the text, and passes it to the model'],
  },
  'turn-request.14': {
    says: 'guest is taken.',
    by: ['gates.test.ts › [TURN-8] [BT-10] is offered no dangerous tool, whatever the request selects: %s'],
  },
  'turn-request.15': {
    says: 'max_tokens is taken.',
    by: ['turn-request.test.ts › [TURN-8] passes max_tokens and brief to the model'],
  },
  'turn-request.16': {
    says: 'brief is taken.',
    by: ['turn-request.test.ts › [TURN-8] passes max_tokens and brief to the model'],
  },
  'turn-request.17': {
    says: 'surface_model is taken.',
    by: ['turn-request.test.ts › [TURN-8] uses surface_model if the chat has no model, and model always'],
  },
  'turn-request.18': {
    says: 'surface_effort is taken.',
    by: ['effort.test.ts › [EFF-1] [EFF-3] prefers %s to %s'],
  },
  'turn-request.19': {
    says: 'tools is taken.',
    by: [
      'gates.test.ts › [TURN-8] [CHAT-6] accepts names and groups together, skips unknown ones, and keeps the overall order',
    ],
  },
  'effort.1': {
    says: 'The level of the turn comes first.',
    by: ['effort.test.ts › [EFF-1] [EFF-3] prefers %s to %s'],
  },
  'effort.2': {
    says: 'The word ultrathink in a message of the master comes second.',
    by: [
      'effort.test.ts › [EFF-1] [EFF-3] prefers %s to %s',
      'effort.test.ts › [EFF-1] takes effect only in messages of the master',
    ],
  },
  'effort.3': {
    says: 'The setting of the chat comes third.',
    by: ['effort.test.ts › [EFF-1] [EFF-3] prefers %s to %s'],
  },
  'effort.4': {
    says: 'The level of the model comes fourth.',
    by: ['effort.test.ts › [EFF-1] [EFF-3] prefers %s to %s'],
  },
  'effort.5': {
    says: 'The setting llm.reasoning comes last.',
    by: ['effort.test.ts › [EFF-1] [EFF-3] prefers %s to %s'],
  },
  'effort.6': {
    says: 'think_harder raises the level once inside a turn.',
    by: ['effort.test.ts › [BT-4] raises the level once when the model calls it, until the end of the turn'],
  },
  'effort.7': {
    says: 'Nothing lowers the level before the turn has ended.',
    by: [
      'effort.test.ts › [BT-4] raises the level once when the model calls it, until the end of the turn',
      'effort.test.ts › [EFF-2] never lowers the level',
    ],
  },
};
