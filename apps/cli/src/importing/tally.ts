/** Counts the outcomes of an import and formats a summary. */
import type { Incoming } from '@chat-kernel/importers';
import type { ImportedChat } from '@chat-kernel/protocol';

type Chat = Extract<Incoming, { kind: 'chat' }>;

export class ImportTally {
  #seen = 0;
  #created = 0;
  #forks = 0;
  #messages = 0;
  #known = 0;
  #grown = 0;
  #appended = 0;
  readonly #changed = { chat_changed: 0, conversation_changed: 0, busy: 0 };
  #empty = 0;
  #failed = 0;
  readonly #leftOut = new Map<string, number>();

  /** Conversations so far. */
  get seen(): number {
    return this.#seen;
  }

  /** Conversations that could not be imported. */
  get failed(): number {
    return this.#failed;
  }

  count(
    { chat, leftOut }: Chat,
    { status, appended = 0, reason = 'conversation_changed' }: ImportedChat,
  ): void {
    this.#seen += 1;
    if (status === 'known') this.#known += 1;
    else if (status === 'changed') this.#changed[reason] += 1;
    else if (status === 'grown') {
      this.#grown += 1;
      this.#appended += appended;
    } else {
      const branches = chat.branches ?? [];
      this.#created += 1;
      this.#forks += branches.length;
      this.#messages += [chat, ...branches].reduce((sum, { messages }) => sum + messages.length, 0);
      for (const [name, times] of leftOut) this.#leftOut.set(name, (this.#leftOut.get(name) ?? 0) + times);
    }
  }

  countEmpty(): void {
    this.#seen += 1;
    this.#empty += 1;
  }

  countFailed(): void {
    this.#seen += 1;
    this.#failed += 1;
  }

  /** Returns the lines of the summary. */
  words(dryRun: boolean): string {
    const would = dryRun ? 'would be imported' : 'imported';
    const lines = [
      `${number(this.#created)} of ${number(this.#seen)} conversations ${would}: ${number(this.#created + this.#forks)} chats, ` +
        `${number(this.#forks)} of them forks, with ${number(this.#messages)} messages.`,
    ];
    const add = (count: number, words: string) => {
      if (count > 0) lines.push(`${number(count)} ${words}.`);
    };
    add(this.#known, 'already imported');
    const have = dryRun ? 'would get' : 'got';
    add(this.#grown, `already imported, and ${have} their new messages: ${number(this.#appended)}`);
    add(
      this.#changed.chat_changed,
      'have new messages, but were not updated because their chats were changed here. To import such a chat again, delete it first',
    );
    add(
      this.#changed.conversation_changed,
      'changed before their end and were not updated. To import such a chat again, delete it first',
    );
    add(this.#changed.busy, 'have new messages, but their chats are busy. Import them again later');
    add(this.#empty, 'empty');
    add(this.#failed, 'not imported; see above');
    const left = [...this.#leftOut].map(([name, times]) => `${number(times)} x ${name}`);
    if (left.length > 0) lines.push(`Replaced by a note: ${left.sort().join(', ')}.`);
    return `${lines.join('\n')}\n`;
  }
}

const number = (value: number): string => value.toLocaleString('en-US');
