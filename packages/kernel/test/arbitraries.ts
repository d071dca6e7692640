/** Generates random histories: in the form that turns leave, and cut at any position. */
import { COMPACTION_MARKER } from '@chat-kernel/protocol';
import fc from 'fast-check';
import type { NewMessage, StoredBlock } from '../src/index.ts';

const text = fc.oneof(
  fc.string({ minLength: 0, maxLength: 12 }),
  fc.constant('  '),
  fc.constant('hello\n世界'),
);

const spoken = fc.oneof(
  text.map((words): StoredBlock => ({ type: 'text', text: words })),
  text.map((words): StoredBlock => ({ type: 'thinking', text: words })),
  fc.constant<StoredBlock>({ type: 'text', text: '[failed] x', internal: { note: 'turn_failed' } }),
  fc.constant<StoredBlock>({ type: 'thinking', text: 'cut', internal: { status: 'aborted' } }),
);
const said = fc.oneof(
  text.map((words): StoredBlock => ({ type: 'text', text: words })),
  text.map((words): StoredBlock => ({ type: 'quote', text: words })),
  text.map((words): StoredBlock => ({ type: 'context', text: words })),
);

/** The messages of one turn: the user's, then those of steps. */
const turn = fc.record({
  said: fc.array(said, { minLength: 1, maxLength: 3 }),
  sender: fc.option(fc.constantFrom('Ada', 'Bo'), { nil: undefined }),
  steps: fc.array(
    fc.record({
      spoken: fc.array(spoken, { maxLength: 3 }),
      calls: fc.nat({ max: 3 }),
      drop: fc.boolean(),
      // The kernel asks while calls run, or when all have returned.
      asks: fc.constantFrom('never', 'never', 'inside', 'behind'),
    }),
    { maxLength: 3 },
  ),
});

/** A whole history as turns write it, then any part of it. */
export const cutHistories = fc
  .tuple(fc.array(turn, { minLength: 1, maxLength: 5 }), fc.nat(), fc.nat())
  .map(([turns, from, length]) => {
    const whole = turns.flatMap((made, index) => messagesOf(made, index));
    const start = from % whole.length;
    return whole.slice(start, start + 1 + (length % whole.length));
  });

/** Entries of the kernel after the steps of a turn, which have no author. */
const entries = fc.constantFrom<[StoredBlock, turn_id: 'own' | null]>(
  [
    { type: 'text', text: COMPACTION_MARKER, internal: { compaction: { text: 's', upto_message: 'm' } } },
    null,
  ],
  [
    { type: 'text', text: COMPACTION_MARKER, internal: { compaction: { text: 's', upto_message: 'm' } } },
    'own',
  ],
  [{ type: 'context', text: '[plan]\n- [pending] x', internal: { told: { plan: 'f' } } }, 'own'],
  [{ type: 'context', text: '', internal: { squeezed: [] } }, 'own'],
);

/** Whole histories, with tool outputs of any length and with the kernel's own entries after turns and steps. */
export const longHistories = fc
  .array(
    fc.record({
      made: turn,
      outputs: fc.array(fc.nat({ max: 6000 }), { minLength: 1, maxLength: 4 }),
      behind: fc.array(fc.tuple(entries, fc.nat()), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map(turns =>
    turns.flatMap(({ made, outputs, behind }, index) => {
      const messages = messagesOf(made, index).map(message => ({
        ...message,
        content: message.content.map((block, at) =>
          block.type === 'tool_result'
            ? { ...block, output: `${block.output} `.padEnd(outputs[at % outputs.length] as number, 'x') }
            : block,
        ),
      }));
      for (const [n, [[block, whose], place]] of behind.entries()) {
        // Entries are never between calls and their results.
        const places = messages.flatMap(({ content }, at) =>
          content.some(({ type }) => type === 'tool_use') ? [] : [at + 1],
        );
        const last = messages.at(-1) as NewMessage;
        const entry: NewMessage = {
          ...last,
          id: `e${index}.${n}`,
          role: 'user',
          content: [block],
          turn_id: whose === null ? null : last.turn_id,
        };
        const at = whose === null ? messages.length : (places[place % places.length] ?? messages.length);
        messages.splice(at, 0, entry);
      }
      return messages;
    }),
  );

function messagesOf(
  made: typeof turn extends fc.Arbitrary<infer T> ? T : never,
  index: number,
): NewMessage[] {
  let n = 0;
  const message = (role: 'user' | 'assistant', content: StoredBlock[], sender?: string): NewMessage => ({
    id: `m${index}.${n++}`,
    chat_id: 'chat',
    role,
    turn_id: `t${index}`,
    content,
    created_at: '2026-01-01T00:00:00.000Z',
    status: 'completed',
    ...(sender !== undefined && { sender }),
  });
  const messages = [message('user', made.said, made.sender)];
  made.steps.forEach((step, at) => {
    const ids = Array.from({ length: step.calls }, (_, call) => `c${index}.${at}.${call}`);
    const uses = ids.map((id): StoredBlock => ({ type: 'tool_use', id, name: 'read_file', input: {} }));
    messages.push(message('assistant', [...step.spoken, ...uses]));
    // A crash may have lost the last result.
    const answered = step.drop ? ids.slice(0, -1) : ids;
    const results = answered.map(
      (id): StoredBlock => ({ type: 'tool_result', tool_use_id: id, output: `of ${id}`, is_error: false }),
    );
    const id = `k${index}.${at}`;
    const internal = { kernel: true } as const;
    const question: StoredBlock = { type: 'tool_use', id, name: 'ask_questions', input: {}, internal };
    const answer: StoredBlock = {
      type: 'tool_result',
      tool_use_id: id,
      output: 'yes',
      is_error: false,
      internal,
    };
    if (step.asks === 'inside') {
      messages.push(message('assistant', [question]));
      results.push(answer);
    }
    if (results.length > 0) messages.push(message('user', results));
    if (step.asks === 'behind') messages.push(message('assistant', [question]), message('user', [answer]));
  });
  return messages;
}
