/** Lists all notes: the sentences that the kernel itself may write into a history, and how clients show them. */

export interface NoteFacts {
  /** Stored with the note. The prefix in brackets shows users that the kernel wrote it. */
  readonly text: string;
  /** `problem`: an actual or imminent failure. `branch`: the chat begins here as a copy. */
  readonly look: 'plain' | 'problem' | 'branch';
  /**
   * Whether the note explains what is missing in a reply. A program that prints only the reply prints this note, too.
   */
  readonly isAboutReply: boolean;
}

const plain = (text: string): NoteFacts => ({ text, look: 'plain', isAboutReply: false });
const problem = (text: string): NoteFacts => ({ text, look: 'problem', isAboutReply: false });
const aboutReply = (text: string): NoteFacts => ({ text, look: 'problem', isAboutReply: true });

export const NOTE_FACTS = {
  fork_marker: {
    text: '[forked] This chat began as a branch of another one.',
    look: 'branch',
    isAboutReply: false,
  },
  turn_cancelled: plain('[cancelled] This turn was cancelled.'),
  turn_failed: problem('[failed] This turn ended with an error.'),
  kernel_restarted: problem(
    '[restarted] The kernel stopped during this turn; what was unfinished was closed.',
  ),
  reply_filtered: aboutReply("[filtered] The provider's content filter stopped this reply."),
  reply_truncated: aboutReply('[truncated] This reply was cut off before its end.'),
  reply_empty: aboutReply('[empty] The model ended this turn without a reply.'),
  request_repaired: problem('[repaired] The provider refused a part of the request.'),
  content_unread: aboutReply('[unread] A part of this reply could not be read.'),
  message_unreadable: plain('[unreadable] This message is damaged in the database and cannot be shown.'),
  woken: plain('[woken] The turn slept and was woken.'),
  spend_cap_near: problem('[spend] A cap on spending is near.'),
  context_full: problem('[full] Compaction cannot free enough of the context window.'),
  blocked: problem('[blocked] A module stopped a call of this turn.'),
  imported: plain('[imported] This came with an import.'),
} as const satisfies Record<string, NoteFacts>;

/** The facts of a note; undefined for a note of a newer kernel. */
export const factsOfNote = (note: string): NoteFacts | undefined =>
  Object.hasOwn(NOTE_FACTS, note) ? NOTE_FACTS[note as keyof typeof NOTE_FACTS] : undefined;
