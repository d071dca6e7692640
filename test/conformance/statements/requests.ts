/** Operations and decisions, requests to clients, turns that sleep, and compaction. */
import type { Statement } from './statement.ts';

export const REQUESTS: Readonly<Record<string, Statement>> = {
  'client-op.1': {
    says: 'An operation has an id, which is also its op_id, an action and the parameters of that action.',
    by: [
      'client-ops.system.test.ts › [OP-1] are sent in one order of fields, with the parameters of the action',
    ],
  },
  'client-op.2': {
    says: 'An operation has the list of decisions.',
    by: [
      'client-ops.system.test.ts › [OP-1] are sent in one order of fields, with the parameters of the action',
    ],
  },
  'client-op.3': {
    says: 'An operation may name the sub-agent that asks.',
    by: [
      'agents.test.ts › [OP-7] keeps operations of several sub-agents open at once, each under its name, and accepts each answer',
      'agents.test.ts › [OP-7] names no sub-agent in an operation of the lead',
    ],
  },
  'decision.1': {
    says: 'An operation offers allow, allow_session, allow_always and deny.',
    by: [
      'client-ops.system.test.ts › [OP-1] are sent in one order of fields, with the parameters of the action',
      'approvals.system.test.ts › [OP-4] are offered by the kernel, and the chosen one is part of the resolution',
    ],
  },
  'decision.2': {
    says: 'list_up has no decisions.',
    by: ['client-ops.system.test.ts › [OP-3] needs no approval, and has no decisions in its event and item'],
  },
  'decision.3': {
    says: 'No dialog is drawn for list_up.',
    by: [
      'packages/client/test/hands-runner.system.test.ts › [OP-1] [OP-3] reads, writes and runs in the directory of its chat, and shows the project',
      'client-ops.system.test.ts › [OP-3] rejects an answer with a decision',
    ],
  },
  'decision.4': {
    says: 'The call of ask_questions has a dictionary of decisions: discuss and answer_in_text.',
    by: [
      'questions.test.ts › [EV-14] accepts the answer to each question by its index as soon as the call arrives',
    ],
  },
  'decision.5': {
    says: 'The item of history has the same dictionary.',
    by: [
      'questions.test.ts › [EV-14] accepts the answer to each question by its index as soon as the call arrives',
    ],
  },
  'decision.6': {
    says: 'These decisions stand beside the options of each question.',
    by: [
      'questions.test.ts › [BT-5] tells the model to discuss the question, and continues the turn',
      'questions.test.ts › [BT-5] [EV-14] answer_in_text closes the other questions and the turn, and the next message answers',
      'apps/terminal/test/dialogs.test.ts › offers the options, a typed answer, and the known meta-decisions [BT-5]',
    ],
  },
  'request.1': {
    says: 'An operation, an extra call and a question each end in exactly one request_resolved.',
    by: [
      'packages/kernel/test/requests.test.ts › each request ends exactly once, with the first ending',
      'questions.test.ts › [EV-14] accepts the answer to each question by its index as soon as the call arrives',
      'test/property/operations.test.ts › [EV-13] [EV-15] [OP-10] ends each operation once, gives each call one result, and leaves nothing open',
    ],
  },
  'request.2': {
    says: 'Who answers resolves it as answered, and the event is sent to that client too.',
    by: [
      'extra-tools.test.ts › [XT-2] sends a call to the client under its own id, and accepts the answer under it',
      'client-ops.system.test.ts › [ITEM-5] are items of the live stream only, complete from their start',
    ],
  },
  'request.3': {
    says: 'Where the time runs out it is expired.',
    by: [
      'client-answers.test.ts › [OP-10] expires: the model gets an error, the turn continues, and a late answer is rejected',
      'questions.test.ts › [EV-14] expires an unanswered question without a choice',
    ],
  },
  'request.4': {
    says: 'Of an operation or an extra call that expired, the model reads an error.',
    by: [
      'client-answers.test.ts › [OP-10] expires: the model gets an error, the turn continues, and a late answer is rejected',
      'extra-tools.test.ts › [XT-5] expires after the time that the tool declares, and gives the model an error',
    ],
  },
  'request.5': {
    says: 'Where the turn ends without waiting it is turn_ended.',
    by: [
      'extra-tools.test.ts › [XT-4] ends the turn with its parallel calls after a successful call',
      'questions.test.ts › [BT-5] [EV-14] answer_in_text closes the other questions and the turn, and the next message answers',
    ],
  },
  'request.6': {
    says: 'Where the turn is cancelled it is cancelled.',
    by: ['questions.test.ts › [EV-13] a cancel during the reply ends the questions of the model'],
  },
  'request.7': {
    says: 'A replayed request without its ending still waits for an answer.',
    by: [
      'extra-tools.test.ts › [XT-7] replays a call with its flag, and leaves an open call open in the replay',
    ],
  },
  'request.8': {
    says: 'A request that was replayed expires by its own time, and the model reads an error.',
    by: [
      'extra-tools.test.ts › [XT-5] expires after the time that the tool declares, and gives the model an error',
    ],
  },
  'sleeping.1': {
    says: 'A turn that arrives while the kernel sleeps is queued, and its stream opens with sleeping.',
    by: [
      'sleep.test.ts › [SLP-2] sends sleeping first, queues the turn, and runs it on the same stream after the wake',
    ],
  },
  'sleeping.2': {
    says: 'Clients show that a turn sleeps, and let it be woken.',
    by: [
      'test/web/chat-work.system.test.ts › [WEB-3] /sleep queues turns, and /wake resumes them',
      'test/web/pages.system.test.ts › [WEB-3] puts the kernel to sleep, and wakes it',
    ],
  },
  'sleeping.3': {
    says: 'POST /v1/sleep/wake lets the turn run, and its stream goes on as any other.',
    by: [
      'sleep.test.ts › [SLP-2] sends sleeping first, queues the turn, and runs it on the same stream after the wake',
    ],
  },
  'compaction.1': {
    says: 'A fold writes its marker into the history.',
    by: [
      'compaction.test.ts › [MARK-1] stores the exact marker as one text block with role user, of the master',
    ],
  },
  'compaction.2': {
    says: 'compacting is sent before the pause, which is before done.',
    by: ['compaction.test.ts › [EV-5] sends compacting before the pause, then the item, then done'],
  },
  'compaction.3': {
    says: 'turn_squeezed tells that old output of the running turn was folded, and the turn goes on.',
    by: [
      'squeezing.test.ts › [EV-6] truncates the oldest outputs, sends a quiet event, and continues the turn',
    ],
  },
};
