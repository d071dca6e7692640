/**
 * Lists all decisions about an operation: how long each one lasts, which operations it covers, and its labels (OP-4,
 * OP-14, HANDS-7).
 */

/** `once`: this operation only. `process`: until the program that keeps the record ends. */
export type Lasts = 'once' | 'process' | 'always';

/**
 * `same`: the same action, for a shell exactly this command. `prefix`: plain commands that begin with text that the
 * owner selects. `edits`: writes below the working directory.
 */
export type Reach = 'same' | 'prefix' | 'edits';

export type DecisionFacts = {
  readonly lasts: Lasts;
  /** The key that selects it in every dialog: a lowercase letter. */
  readonly key: string;
  /** The label of its button. */
  readonly label: string;
  /** The label in a list with one line per decision about a command. If absent, `label` is used. */
  readonly commandLabel?: string;
  /** The label if several decisions share a line. */
  readonly short: string;
  /** The label of an operation after the decision. */
  readonly past: string;
} & (
  | { readonly reach: Exclude<Reach, 'prefix'> }
  /** `wordsLabel` is the label of a button that is followed by the selected words. */
  | { readonly reach: 'prefix'; readonly wordsLabel: string }
);

/** In the order in which they are offered, from the narrowest to the widest. Dialogs show them in `dialogOrder`. */
export const DECISION_FACTS = {
  allow: {
    lasts: 'once',
    reach: 'same',
    key: 'y',
    label: 'Allow once',
    short: 'once',
    past: 'allowed once',
  },
  allow_session: {
    lasts: 'process',
    reach: 'same',
    key: 's',
    label: 'Allow for this session',
    commandLabel: 'Allow this exact command for this session',
    short: 'session',
    past: 'allowed for the session',
  },
  allow_always: {
    lasts: 'always',
    reach: 'same',
    key: 'a',
    label: 'Always allow',
    commandLabel: 'Always allow this exact command in this chat',
    short: 'always',
    past: 'always allowed',
  },
  allow_prefix: {
    lasts: 'always',
    reach: 'prefix',
    key: 'p',
    label: 'Always allow commands starting with…',
    commandLabel: 'Always allow commands starting with:',
    wordsLabel: 'Always allow commands starting with',
    short: '…',
    past: 'allowed by prefix',
  },
  allow_edits: {
    lasts: 'always',
    reach: 'edits',
    key: 'e',
    label: 'Always allow edits in this folder',
    short: 'edits',
    past: 'edits allowed',
  },
  deny: { lasts: 'once', reach: 'same', key: 'n', label: 'Deny', short: 'deny', past: 'denied' },
} as const satisfies Readonly<Record<string, DecisionFacts>>;

export type Decision = keyof typeof DECISION_FACTS;
export const DECISIONS = Object.keys(DECISION_FACTS) as readonly Decision[];

type LastsOf<Each extends Decision> = (typeof DECISION_FACTS)[Each]['lasts'];
/** The decisions that also cover later operations. */
export type LastingDecision = {
  [Each in Decision]: LastsOf<Each> extends 'once' ? never : Each;
}[Decision];

/** Undefined if the table does not have this decision: a newer version may have offered or stored it. */
export const factsOfDecision = (decision: string): DecisionFacts | undefined =>
  Object.hasOwn(DECISION_FACTS, decision) ? DECISION_FACTS[decision as Decision] : undefined;

/** A decision that the table does not have lasts once: approval is never extended by mistake. */
export const decisionLifetime = (decision: string): Lasts => factsOfDecision(decision)?.lasts ?? 'once';

/**
 * The known ones of the offered decisions, in the order of every dialog: those about this operation only, then lasting
 * ones. So Deny is always second, whatever else is offered.
 */
export function dialogOrder(offered: readonly string[]): Decision[] {
  const known = (Object.keys(DECISION_FACTS) as Decision[]).filter(decision => offered.includes(decision));
  return [...known.filter(each => !isLasting(each)), ...known.filter(isLasting)];
}

export const isLasting = (decision: string): decision is LastingDecision =>
  decisionLifetime(decision) !== 'once';

/** Describes how long a decision lasts. */
export function describeLifetime(decision: string): string {
  const lasts = decisionLifetime(decision);
  return lasts === 'process' ? 'this session' : lasts;
}
