/** Defines how the view of a turn handles each item kind. A missing kind does not compile. */
import type { Item, ItemOf, TurnEnd } from '../api/types.ts';

interface KindRules<Kind extends Item['kind']> {
  /** True if the model streams it as text, one item at a time. */
  readonly text: boolean;
  /** True if events report it during the turn; otherwise it is only in the history. */
  readonly live: boolean;
  /** True if a provisional item, built from original events without item ids, is this item of the kernel. */
  isSame(provisional: ItemOf<Kind>, item: ItemOf<Kind>): boolean;
  /** Returns the item if its turn ends while it is open, which only happens if the item events are muted. */
  ended(item: ItemOf<Kind>, end: TurnEnd): ItemOf<Kind>;
}

/** The result of a call that never returned. The text is part of the API. */
export const UNFINISHED_RESULT = '[cancelled] The turn ended before this call returned a result.';

/** For kinds without original events. */
const neverMatches = (): boolean => false;
/** The model has one open item of the kind at a time. */
const isOpen = ({ status }: Item): boolean => status === 'running';

/** The item gets the status of its turn. */
const withTurnStatus = <Any extends Item>(item: Any, end: TurnEnd): Any => ({
  ...item,
  status: end === 'cancelled' ? 'aborted' : end,
});

const KINDS: { readonly [Kind in Item['kind']]: KindRules<Kind> } = {
  user_message: { text: false, live: false, isSame: neverMatches, ended: withTurnStatus },
  agent_message: { text: true, live: true, isSame: isOpen, ended: withTurnStatus },
  thinking: { text: true, live: true, isSame: isOpen, ended: withTurnStatus },
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
  consent_request: {
    text: false,
    live: true,
    isSame: (provisional, { op_id }) => provisional.op_id === op_id,
    ended: item => ({ ...item, status: 'aborted' }),
  },
  image: {
    text: false,
    live: true,
    isSame: (provisional, { image_id }) => provisional.image_id === image_id,
    ended: withTurnStatus,
  },
  compaction: { text: false, live: true, isSame: neverMatches, ended: withTurnStatus },
  machine_note: { text: false, live: true, isSame: neverMatches, ended: withTurnStatus },
  plan: {
    text: false,
    live: true,
    isSame: isOpen,
    ended: (item, end) => ({ ...item, status: end === 'completed' ? 'completed' : 'aborted' }),
  },
};

/** Rules for a kind that is newer than this client. */
const UNKNOWN_KIND: KindRules<Item['kind']> = {
  text: false,
  live: true,
  isSame: neverMatches,
  ended: withTurnStatus,
};

/** Returns the rules for items of this kind. */
export const findRules = ({ kind }: Item): KindRules<Item['kind']> =>
  (KINDS as unknown as Record<string, KindRules<Item['kind']>>)[kind] ?? UNKNOWN_KIND;
