/** Events. */
import type { Statement } from './statement.ts';

export const EVENTS: Readonly<Record<string, Statement>> = {
  'events.1': {
    says: 'Events are server-sent, of type text/event-stream.',
    by: ['events.test.ts › [EV-1] streams plain server-sent events that proxies must not buffer or change'],
  },
  'events.2': {
    says: 'Each event is one JSON object with a type.',
    by: ['events.test.ts › [EV-1] [EV-2] sends an event as one line and preserves any text'],
  },
  'events.3': {
    says: 'text_delta is a piece of text.',
    by: ['events.test.ts › [EV-2] sends each piece before the model produces the next'],
  },
  'events.4': {
    says: 'thinking_delta is a piece of reasoning.',
    by: ['events.test.ts › [EV-2] sends each piece before the model produces the next'],
  },
  'events.5': {
    says: 'tool_call has id, name and input.',
    by: [
      'events.test.ts › [EV-2] [EV-3] [EV-4] [EV-9] [EV-10] sends the fields of every event in their order',
      'extra-tools.test.ts › [XT-2] sends a call to the client under its own id, and accepts the answer under it',
    ],
  },
  'events.6': {
    says: 'tool_result is the result of a call.',
    by: [
      'tools.test.ts › [EV-3] [ITEM-2] runs the calls of a step in parallel, and returns results in the order of the calls',
      'extra-tools.test.ts › [XT-2] sends a call to the client under its own id, and accepts the answer under it',
    ],
  },
  'events.7': {
    says: 'tool_progress is the progress of a tool, each in place of the last.',
    by: [
      'extra-tools.test.ts › [OP-8] replaces progress, truncates it to its last 8 KiB, redacts secrets, and never stores it',
      'machine-tools.system.test.ts › [EV-3] shows the output of a command while it runs',
    ],
  },
  'events.8': {
    says: 'client_op asks the client for an operation.',
    by: [
      'client-ops.system.test.ts › [OP-1] are sent in one order of fields, with the parameters of the action',
    ],
  },
  'events.9': {
    says: 'extra_tool_call has id, name and input, the id being that of its tool_call.',
    by: [
      'extra-tools.test.ts › [XT-2] sends a call to the client under its own id, and accepts the answer under it',
    ],
  },
  'events.10': {
    says: 'request_resolved has id, kind and reason, and of a question its number.',
    by: [
      'extra-tools.test.ts › [XT-2] sends a call to the client under its own id, and accepts the answer under it',
      'questions.test.ts › [EV-14] accepts the answer to each question by its index as soon as the call arrives',
    ],
  },
  'events.11': {
    says: 'Its kind is op or question.',
    by: [
      'document.test.ts › requests are operations and questions, and end for one of four reasons, without a permission kind',
    ],
  },
  'events.12': {
    says: 'Its reason is answered, expired, turn_ended or cancelled.',
    by: [
      'document.test.ts › requests are operations and questions, and end for one of four reasons, without a permission kind',
      'extra-tools.test.ts › [XT-4] ends the turn with its parallel calls after a successful call',
    ],
  },
  'events.13': {
    says: 'For an operation its id is the op_id.',
    by: ['client-ops.system.test.ts › [ITEM-5] are items of the live stream only, complete from their start'],
  },
  'events.14': {
    says: 'For a question its id is that of the call, and question the place in its list.',
    by: [
      'questions.test.ts › [EV-14] accepts the answer to each question by its index as soon as the call arrives',
    ],
  },
  'events.15': {
    says: 'usage is sent after each trip to the provider.',
    by: [
      'usage.test.ts › [EV-4] sends usage of each request, sums it in done, and adds it to the chat',
      'tools.test.ts › [SVC-1] takes as many steps as the model requests',
    ],
  },
  'events.16': {
    says: 'compacting comes before the pause of a fold.',
    by: ['compaction.test.ts › [EV-5] sends compacting before the pause, then the item, then done'],
  },
  'events.17': {
    says: 'turn_squeezed has freed_chars.',
    by: [
      'squeezing.test.ts › [EV-6] truncates the oldest outputs, sends a quiet event, and continues the turn',
    ],
  },
  'events.18': {
    says: 'sleeping opens the stream of a turn that came while the kernel slept.',
    by: [
      'sleep.test.ts › [SLP-2] sends sleeping first, queues the turn, and runs it on the same stream after the wake',
    ],
  },
  'events.19': {
    says: 'image has id, media_type and url, at which the client finds it.',
    by: [
      'images.test.ts › [EV-8] sends a drawn image with id, type and address, between the text around it',
      'images.test.ts › [IMG-2] stores a drawn image as an item of its turn, and serves it unchanged',
    ],
  },
  'events.20': {
    says: 'plan has all tasks.',
    by: ['plan.test.ts › [EV-9] sends the whole plan on each change, and closes it when it is empty'],
  },
  'events.21': {
    says: 'done ends the turn.',
    by: [
      'events.test.ts › [EV-10] reports how the model ended, and completes the turn at a length limit',
      'tools.test.ts › [SVC-1] takes as many steps as the model requests',
    ],
  },
  'events.22': {
    says: 'error tells that the turn failed.',
    by: [
      'tools.test.ts › [EV-10] ends an endless turn at the step limit',
      'wires.test.ts › [EV-10] fails a turn whose reply breaks off after its first text, as retryable',
    ],
  },
  'events.23': {
    says: 'item_started has the whole item, ready to be drawn.',
    by: [
      'items.test.ts › [ITEM-8] starts an item with everything needed to render it, extends it by deltas, and ends it with its final state',
    ],
  },
  'events.24': {
    says: 'item_delta appends text, replaces progress and brings a plan whole.',
    by: [
      'items.test.ts › [ITEM-8] starts an item with everything needed to render it, extends it by deltas, and ends it with its final state',
      'extra-tools.test.ts › [OP-8] replaces progress, truncates it to its last 8 KiB, redacts secrets, and never stores it',
      'plan.test.ts › [EV-9] sends the whole plan on each change, and closes it when it is empty',
    ],
  },
  'events.25': {
    says: 'item_completed has the final state.',
    by: [
      'items.test.ts › [ITEM-8] starts an item with everything needed to render it, extends it by deltas, and ends it with its final state',
      'items.test.ts › [ITEM-11] returns the same items live, replayed, read back and repeated',
    ],
  },
  'events.26': {
    says: 'Items tell the same steps as the other events, and both are sent.',
    by: ['events.test.ts › [EV-11] sends each step in both sets, the original first'],
  },
  'events.27': {
    says: 'Either set is silenced by mute in the request.',
    by: ['turn-request.test.ts › [TURN-3] leaves out muted event types, and sends the others completely'],
  },
  'events.28': {
    says: 'Either set is silenced by mute of /live.',
    by: ['live.test.ts › [EV-12] leaves out muted types, in the replay and after it'],
  },
  'events.29': {
    says: '/live replays first, and then goes on live.',
    by: ['live.test.ts › [EV-12] replays earlier events with the mark, and sends new ones without it'],
  },
  'events.30': {
    says: 'Replayed events say replayed: true; live ones do not.',
    by: ['live.test.ts › [EV-12] replays earlier events with the mark, and sends new ones without it'],
  },
  'events.31': {
    says: 'A client draws a replayed operation and executes none.',
    by: [
      'packages/client/test/hands-runner.test.ts › [EV-12] [XT-7] executes nothing from a replay',
      'two-terminals.system.test.ts › [EV-15] shows a running operation to a terminal that connects, without running it',
    ],
  },
  'events.32': {
    says: 'An operation is finished by its request_resolved, which says how.',
    by: [
      'client-ops.system.test.ts › [ITEM-5] are items of the live stream only, complete from their start',
      'client-answers.test.ts › [OP-10] expires: the model gets an error, the turn continues, and a late answer is rejected',
    ],
  },
  'events.33': {
    says: 'An extra call is replayed by the same rule.',
    by: [
      'extra-tools.test.ts › [XT-7] replays a call with its flag, and leaves an open call open in the replay',
      'packages/client/test/hands-runner.test.ts › [EV-12] [XT-7] executes nothing from a replay',
    ],
  },
  'events.34': {
    says: "request_resolved with answered is sent also for the client's own answer.",
    by: [
      'extra-tools.test.ts › [XT-2] sends a call to the client under its own id, and accepts the answer under it',
      'client-ops.system.test.ts › [ITEM-5] are items of the live stream only, complete from their start',
    ],
  },
  'events.35': {
    says: 'A client closes its dialog by request_resolved.',
    by: [
      'packages/client/test/hands-runner.test.ts › [EV-13] closes the dialog when the operation ends',
      'two-terminals.system.test.ts › [EV-13] closes an open dialog when the turn ends',
    ],
  },
  'events.36': {
    says: 'The kernel gives the decisions; clients draw those that they know and skip the others.',
    by: [
      'approvals.system.test.ts › [OP-4] are offered by the kernel, and the chosen one is part of the resolution',
      'apps/terminal/test/dialogs.test.ts › shows a line for each decision that it knows, with its label, and skips unknown ones [OP-4] [HANDS-7]',
    ],
  },
  'events.37': {
    says: 'A choice is always an explicit decision.',
    by: [
      'apps/terminal/test/dialogs.test.ts › decides nothing on Enter while nothing is selected [OP-4]',
      'packages/client/test/hands-runner.test.ts › [OP-4] offers the decisions that this client knows, and sends the selected one',
    ],
  },
  'events.38': {
    says: 'Closing the dialog by its cross is deny, and is sent.',
    by: [
      'test/web/requests.system.test.ts › [WEB-2] denies on Esc and on Close, and allows nothing on Enter',
    ],
  },
  'events.39': {
    says: 'Esc is deny, whatever keys are set.',
    by: [
      'apps/terminal/test/dialogs.test.ts › treats Esc and ctrl-c as deny at any time',
      'test/web/requests.system.test.ts › [WEB-2] denies on Esc and on Close, and allows nothing on Enter',
    ],
  },
};
