/** THE list of item kinds: where the view of a turn treats one unlike the others. A kind that is missing does not compile. */
import type { Item, ItemOf, TurnEnd } from '../api/types.ts';

interface KindRules<Kind extends Item['kind']> {
  /** The model writes it as text that grows; it writes one at a time. */
  readonly text: boolean;
  /** Events tell it while its turn is live; otherwise only the history has it. */
  readonly live: boolean;
  /** Whether an item that was made of original events, which have no item ids, is this one of the kernel. */
  isSame(provisional: ItemOf<Kind>, item: ItemOf<Kind>): boolean;
  /** The item when its turn ends while it is open, as only happens where the item events are muted. */
  ended(item: ItemOf<Kind>, end: TurnEnd): ItemOf<Kind>;
}

/** The text is part of the API: the result of a call that never returned. */
export const UNFINISHED_RESULT = '[cancelled] The turn ended before this call returned a result.';

/** No original event tells of the kind. */
const unmatched = (): boolean => false;
/** The model has one of the kind open at a time. */
const isOpen = ({ status }: Item): boolean => status === 'running';

/** As the turn ended, so does its item. */
const asTurn = <Any extends Item>(item: Any, end: TurnEnd): Any => ({
  ...item,
  status: end === 'cancelled' ? 'aborted' : end,
});

const KINDS: { readonly [Kind in Item['kind']]: KindRules<Kind> } = {
  user_message: { text: false, live: false, isSame: unmatched, ended: asTurn },
  agent_message: { text: true, live: true, isSame: isOpen, ended: asTurn },
  thinking: { text: true, live: true, isSame: isOpen, ended: asTurn },
  tool_call: {
    text: false,
    live: true,
    isSame: (provisional, { call_id }) => provisional.call_id === call_id,
    ended: item => ({ ...item, status: 'aborted', output: UNFINISHED_RESULT, is_error: true }),
  },
  client_op: {
    text: false,
    live: true,
    isSame: (provisional, { op_id }) => provisional.op_id === op_id,
    ended: item => ({ ...item, status: 'aborted' }),
  },
  image: {
    text: false,
    live: true,
    isSame: (provisional, { image_id }) => provisional.image_id === image_id,
    ended: asTurn,
  },
  compaction: { text: false, live: true, isSame: unmatched, ended: asTurn },
  machine_note: { text: false, live: true, isSame: unmatched, ended: asTurn },
  plan: {
    text: false,
    live: true,
    isSame: isOpen,
    ended: (item, end) => ({ ...item, status: end === 'completed' ? 'completed' : 'aborted' }),
  },
};

/** A kind that is newer than this client. */
const NEWER: KindRules<Item['kind']> = { text: false, live: true, isSame: unmatched, ended: asTurn };

/** The rules of the item's kind, for items of that kind. */
export const rulesOf = ({ kind }: Item): KindRules<Item['kind']> =>
  (KINDS as unknown as Record<string, KindRules<Item['kind']>>)[kind] ?? NEWER;
