/** The actions of operations, and extra tools. */
import type { Statement } from './statement.ts';

export const OPERATIONS: Readonly<Record<string, Statement>> = {
  'action.1': {
    says: 'read answers text.',
    by: [
      'client-ops.system.test.ts › [OP-1] run on the client, and the model gets the results',
      'project.test.ts › [OP-11] puts files of all levels into the first request, the nearest last, without a visible call',
    ],
  },
  'action.2': {
    says: 'write writes text.',
    by: [
      'client-ops.system.test.ts › [OP-1] run on the client, and the model gets the results',
      'client-ops.system.test.ts › [OP-1] are sent in one order of fields, with the parameters of the action',
    ],
  },
  'action.3': {
    says: 'shell runs a command and answers its output.',
    by: [
      'client-ops.system.test.ts › [OP-1] run on the client, and the model gets the results',
      'client-ops.system.test.ts › [OP-1] are sent in one order of fields, with the parameters of the action',
    ],
  },
  'action.4': {
    says: 'read_bytes takes path, offset and size and answers total and data.',
    by: ['bytes.test.ts › [OP-12] is read in pieces to its end and no further'],
  },
  'action.5': {
    says: 'write_bytes takes path, offset, data and truncate and answers total.',
    by: [
      'delivery.test.ts › is written in pieces before the model runs, and replaces an older file completely',
      'attached-files.test.ts › [OP-2] [OP-4] sends a large file in pieces, and asks only for the first one',
    ],
  },
  'action.6': {
    says: 'find_bytes takes path, data, offset and limit and answers total and offsets.',
    by: ['bytes.test.ts › [OP-2] are found after an offset, up to a limit'],
  },
  'action.7': {
    says: 'list_up takes path and names.',
    by: [
      'client-ops.system.test.ts › [OP-3] needs no approval, and has no decisions in its event and item',
      'project.test.ts › [OP-11] puts files of all levels into the first request, the nearest last, without a visible call',
    ],
  },
  'action.8': {
    says: 'list_up answers what was found in each directory from the path up to the root.',
    by: [
      'packages/hands/test/node-hands.system.test.ts › finds project files, but no link out of their directory',
      'project.test.ts › [OP-11] puts files of all levels into the first request, the nearest last, without a visible call',
    ],
  },
  'action.9': {
    says: 'A client that lacks an action answers unknown op action.',
    by: [
      'client-ops.system.test.ts › [OP-6] returns an error for an action that the client does not support, and continues the turn',
      'packages/client/test/hands-runner.test.ts › [OP-6] answers an unknown action with an error, without asking the owner',
    ],
  },
  'action.10': {
    says: 'No versions are negotiated: the turn goes on without that action.',
    by: [
      'client-ops.system.test.ts › [OP-6] returns an error for an action that the client does not support, and continues the turn',
      'project.test.ts › [OP-11] [OP-6] continues the turn if the client does not support list_up or cannot read a file',
    ],
  },
  'action.11': {
    says: 'list_up needs no permission.',
    by: ['client-ops.system.test.ts › [OP-3] needs no approval, and has no decisions in its event and item'],
  },
  'action.12': {
    says: 'By list_up the kernel makes the [project] block of AGENTS.md and .service/MEMORY.md, before the model and without it.',
    by: [
      'project.test.ts › [OP-11] puts files of all levels into the first request, the nearest last, without a visible call',
    ],
  },
  'action.13': {
    says: 'list_up is sent only to clients that said project_docs.',
    by: ['client-ops.system.test.ts › [OP-3] is only sent to clients that support it'],
  },
  'action.14': {
    says: 'An operation that names a sub-agent is executed by the client of the lead.',
    by: [
      'agents.test.ts › [OP-7] keeps operations of several sub-agents open at once, each under its name, and accepts each answer',
    ],
  },
  'action.15': {
    says: 'Dialogs show which sub-agent asks.',
    by: [
      'apps/terminal/test/dialogs.test.ts › shows the full command, its location, and the sub-agent that asks [OP-7]',
    ],
  },
  'action.16': {
    says: 'Where the chat has a directory of the client, [project] is there from the first turn.',
    by: [
      'project.test.ts › [OP-11] puts files of all levels into the first request, the nearest last, without a visible call',
    ],
  },
  'extra-tools.1': {
    says: 'The model sees extra tools as ordinary ones.',
    by: [
      'extra-tools.test.ts › [TURN-6] offers an extra tool to the model after the others, for this turn only',
    ],
  },
  'extra-tools.2': {
    says: 'The client that declared them executes them.',
    by: [
      'extra-tools.test.ts › [XT-2] sends a call to the client under its own id, and accepts the answer under it',
    ],
  },
  'extra-tools.3': {
    says: 'A call is an extra_tool_call with id, name and input.',
    by: [
      'extra-tools.test.ts › [XT-2] sends a call to the client under its own id, and accepts the answer under it',
    ],
  },
  'extra-tools.4': {
    says: 'Its id is that of its tool_call.',
    by: [
      'extra-tools.test.ts › [XT-2] sends a call to the client under its own id, and accepts the answer under it',
    ],
  },
  'extra-tools.5': {
    says: 'The kernel waits for the answer.',
    by: [
      'extra-tools.test.ts › [XT-2] sends a call to the client under its own id, and accepts the answer under it',
    ],
  },
  'extra-tools.6': {
    says: 'The client answers with ops/result under that id.',
    by: [
      'extra-tools.test.ts › [XT-2] sends a call to the client under its own id, and accepts the answer under it',
    ],
  },
  'extra-tools.7': {
    says: 'With ends_turn a successful call ends the turn.',
    by: [
      'extra-tools.test.ts › [XT-4] ends the turn with its parallel calls after a successful call',
      'extra-tools.test.ts › [XT-4] continues the turn after a failed call',
    ],
  },
  'extra-tools.8': {
    says: 'A name of the registry is 400.',
    by: ['extra-tools.test.ts › [XT-6] rejects a duplicate name and the name of an existing tool'],
  },
  'extra-tools.9': {
    says: 'A replayed call is drawn and not executed.',
    by: [
      'packages/client/test/hands-runner.test.ts › [EV-12] [XT-7] executes nothing from a replay',
      'extra-tools.test.ts › [XT-7] replays a call with its flag, and leaves an open call open in the replay',
    ],
  },
};
