/** Commands for saved approvals and past decisions. */
import {
  describeAction,
  describeApproval,
  describeConsent,
  describeLifetime,
  factsOfDecision,
} from '@chat-kernel/client';
import type { PickerEntry } from '../dialogs/picker.ts';
import { moment } from '../text/amounts.ts';
import { exact } from '../text/safe.ts';
import type { ChatCommand } from './command.ts';

export const approvals: ChatCommand = {
  name: 'approvals',
  description: 'list and revoke approvals',
  async run(session) {
    const { client, store } = session;
    const { approvals } = await client.listApprovals();
    const here = store.get().chat?.id;
    const sentences = new Map<string, string>();
    const entries = approvals.map(approval => {
      const { id, chat_id, action, command, prefix, target, decision, created_at } = approval;
      const subject = command ?? (prefix === undefined ? (target ?? '') : `${prefix} …`);
      const chat = chat_id === here ? 'this chat' : 'another chat';
      const { covers: sentence, text = '' } = describeApproval(approval);
      const covers = exact(onOneLine(`${sentence} ${text}`.trim()));
      sentences.set(id, covers);
      const detail = [describeLifetime(decision), chat, moment(created_at, Date.now()), covers].join(' · ');
      return { id, label: exact(onOneLine(`${action} ${subject}`.trim())), detail };
    });
    const confirm = ({ id }: PickerEntry) => `Revoke this approval? ${sentences.get(id) ?? ''}`;
    session.panels.pick(
      { title: 'Approvals', entries, confirm, empty: 'no saved approvals' },
      async ({ id }) => {
        await client.revokeApproval(id);
        session.notices.notify('Revoked.');
      },
    );
  },
};

export const decisions: ChatCommand = {
  name: 'decisions',
  description: 'show your last decisions about operations',
  async run(session) {
    const { decisions } = await session.client.listDecisions({ limit: 200 });
    const entries = decisions.map(decision => {
      const { id, action, subject, call, client, decided_at } = decision;
      const what = factsOfDecision(decision.decision)?.past ?? decision.decision;
      const detail = [
        moment(decided_at, Date.now()),
        `in ${client ?? 'a client without a name'}`,
        ...(decision.error === undefined ? [] : [`you said: ${decision.error}`]),
        ...describeConsent(decision),
      ].map(text => exact(onOneLine(text)));
      const label = `${what}: ${describeAction(action, call?.length)} ${(call ?? [subject]).join(' ⏎ ')}`;
      return { id, label: exact(onOneLine(label)), detail: detail.join(' · ') };
    });
    session.panels.pick({ title: 'Decisions', entries, empty: 'no decisions yet' }, async () => {});
  },
};

const onOneLine = (text: string): string => text.replaceAll('\n', ' ⏎ ');
