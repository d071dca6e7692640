/** Tests the decision about consent as a table: each row is a case, and whether it asks. */
import { expect, test } from 'vitest';
import { type ConsentFacts, decide } from '../src/consent/decide.ts';

/** A call that no rule is about. */
const FACTS: ConsentFacts = {
  tool: 'tool',
  effects: [],
  machine: 'none',
  consent: 'auto',
  trusted: true,
  outside: [],
  grant: 'no',
};
const WEB = { outside: ['web:example.org'] };
const KERNEL_WRITE = { machine: 'kernel', effects: ['write'] } as const;
const KERNEL_RUN = { machine: 'kernel', effects: ['execute'] } as const;
const CONNECT = { machine: 'kernel', effects: ['read'], isConnection: true } as const;
const CLIENT = { machine: 'client', effects: ['execute'] } as const;
const SEND = { effects: ['send'] } as const;
const REMEMBER = { effects: ['remember'] } as const;
const SERVER = { isOfServer: true, effects: ['write'] } as const;

const SCHEDULE = { isGrantedBySchedule: true } as const;

type Case = [rule: string, facts: Partial<ConsentFacts>, asks: string | false];
const CASES: readonly Case[] = [
  ['CONSENT-2', {}, false],
  ['CONSENT-2', { consent: 'ask' }, false],
  ['CONSENT-2', { ...WEB, consent: 'ask' }, false],
  ['CONSENT-2', { ...WEB, consent: 'ask', effects: ['read'] }, false],
  ['WHO-6', KERNEL_WRITE, false],
  ['WHO-6', KERNEL_RUN, false],
  ['WHO-6', { ...KERNEL_WRITE, consent: 'ask' }, 'file is changed'],
  ['WHO-6', { ...KERNEL_RUN, consent: 'ask' }, 'command runs'],
  ['WHO-6', { ...KERNEL_RUN, consent: 'never' }, false],
  ['WHO-6', { ...KERNEL_RUN, consent: 'ask', grant: 'yes' }, false],
  ['WHO-6', { ...KERNEL_RUN, consent: 'ask', grant: 'yes', trusted: false }, 'command runs'],
  ['WHO-6', { ...KERNEL_RUN, ...WEB, consent: 'ask', grant: 'yes' }, false],
  ['HANDS-3', CLIENT, 'on the machine'],
  ['HANDS-3', { ...CLIENT, consent: 'never' }, 'on the machine'],
  ['HANDS-3', { ...CLIENT, grant: 'yes' }, false],
  ['HANDS-3', { ...CLIENT, isSilent: true }, false],
  ['HANDS-3', { ...CLIENT, grant: 'knowingly', trusted: false }, 'on the machine'],
  ['HANDS-7', { isUnique: true }, 'outside of this chat'],
  ['HANDS-7', { isUnique: true, consent: 'never', grant: 'knowingly' }, 'outside of this chat'],
  ['CONSENT-3', { isNamedBySettings: true }, 'settings'],
  ['CONSENT-3', { isNamedBySettings: true, consent: 'never' }, 'settings'],
  ['CONSENT-3', { isNamedBySettings: true, grant: 'yes' }, false],
  ['CONSENT-3', { ...SEND, consent: 'ask' }, 'sends something'],
  ['CONSENT-3', SEND, false],
  ['CONSENT-3', { ...SEND, consent: 'never' }, false],
  ['CONSENT-3', { ...SEND, consent: 'ask', grant: 'yes' }, false],
  ['CONSENT-3', { ...SEND, consent: 'ask', isKnownAddress: true }, false],
  ['CONSENT-3', { consent: 'ask', effects: ['read'], isElsewhere: true }, 'outside of the working'],
  ['CONSENT-3', { consent: 'auto', effects: ['read'], isElsewhere: true }, false],
  ['CONSENT-3', { consent: 'ask', isElsewhere: true, grant: 'yes' }, false],
  ['CONSENT-3', { ...SERVER, consent: 'ask' }, 'on its server'],
  ['CONSENT-3', { ...SERVER, consent: 'ask', effects: ['read'] }, false],
  ['CONSENT-3', { ...SERVER, consent: 'ask', grant: 'yes' }, false],
  ['CONSENT-3', SERVER, false],
  ['CONSENT-4', { ...SEND, ...WEB }, 'text from web:example.org'],
  ['CONSENT-4', { ...SEND, ...WEB, consent: 'never' }, false],
  ['CONSENT-4', { ...SEND, ...WEB, grant: 'yes' }, 'text from web:example.org'],
  ['CONSENT-4', { ...SEND, ...WEB, grant: 'knowingly' }, false],
  ['CONSENT-4', { ...SEND, ...WEB, grant: 'knowingly', trusted: false }, 'text from'],
  ['CONSENT-4', { ...SEND, ...WEB, isKnownAddress: true }, false],
  ['CONSENT-4', { ...SEND, outside: ['a', 'b', 'c', 'd', 'e'] }, 'text from a, b, c and 2 more'],
  ['CONSENT-4', { ...REMEMBER, ...WEB }, 'keeps something'],
  ['CONSENT-4', { ...REMEMBER, ...WEB, isKnownAddress: true }, 'keeps something'],
  ['CONSENT-4', { ...REMEMBER, ...WEB, grant: 'yes' }, 'keeps something'],
  ['CONSENT-4', { ...REMEMBER, ...WEB, consent: 'never' }, false],
  ['CONSENT-4', REMEMBER, false],
  ['CONSENT-4', { ...REMEMBER, consent: 'ask' }, false],
  ['CONSENT-4', { ...KERNEL_RUN, effects: ['execute', 'send'], ...WEB }, 'text from'],
  ['CONSENT-4', { ...SEND, ...WEB, ...SCHEDULE }, false],
  ['CONSENT-4', { ...SEND, ...WEB, ...SCHEDULE, trusted: false }, 'text from'],
  ['CONSENT-4', { ...REMEMBER, ...WEB, ...SCHEDULE }, false],
  ['CONSENT-4', { ...KERNEL_RUN, ...SCHEDULE, consent: 'ask' }, false],
  ['CONSENT-4', { isNamedBySettings: true, ...SCHEDULE }, false],
  ['CONSENT-4', { isUnique: true, ...SCHEDULE }, false],
  ['CONSENT-4', { effects: ['read'], isSecret: true, ...SCHEDULE }, 'keys and passwords'],
  ['CONSENT-4', { effects: ['read'], isSecret: true, ...SCHEDULE, grant: 'yes' }, false],
  ['CONSENT-4', { ...KERNEL_WRITE, isProtected: true, ...SCHEDULE }, 'can run programs'],
  ['CONSENT-4', { ...SEND, outside: ['a'], ownSource: 'a' }, false],
  ['CONSENT-4', { ...SEND, outside: ['a', 'b'], ownSource: 'a' }, 'text from a, b'],
  ['CONSENT-4', CONNECT, false],
  ['CONSENT-4', { ...CONNECT, consent: 'ask' }, false],
  ['CONSENT-4', { ...CONNECT, ...WEB }, 'reach this host, and this turn has read text from web:example.org'],
  ['CONSENT-4', { ...CONNECT, ...WEB, grant: 'yes' }, false],
  ['CONSENT-4', { ...CONNECT, ...WEB, consent: 'never' }, false],
  ['CONSENT-5', { effects: ['read'], isSecret: true }, 'keys and passwords'],
  ['CONSENT-5', { effects: ['read'], isSecret: true, consent: 'never' }, 'keys and passwords'],
  ['CONSENT-5', { effects: ['read'], isSecret: true, grant: 'yes' }, false],
  ['CONSENT-5', { effects: ['read'], isSecret: true, grant: 'yes', trusted: false }, 'keys and passwords'],
  ['CONSENT-6', { ...KERNEL_WRITE, isProtected: true }, 'can run programs'],
  ['CONSENT-6', { ...KERNEL_WRITE, isProtected: true, consent: 'never' }, false],
  ['CONSENT-6', { ...KERNEL_WRITE, isProtected: true, grant: 'yes' }, false],
  ['CONSENT-8', { machine: 'kernel', isNewWorkdir: true }, 'outside of the working'],
  ['CONSENT-8', { machine: 'kernel', isNewWorkdir: true, grant: 'yes' }, false],
  ['CONSENT-8', { machine: 'kernel', isNewWorkdir: true, consent: 'never' }, false],
  ['CONSENT-6', { ...KERNEL_RUN, isProtected: true }, 'This command may change protected paths'],
  ['CONSENT-6', { ...KERNEL_RUN, isProtected: true, consent: 'never' }, false],
  ['CONSENT-8', { ...KERNEL_RUN, isUnconfined: true }, 'No sandbox'],
  ['CONSENT-8', { ...KERNEL_WRITE, isUnconfined: true }, 'No sandbox'],
  ['CONSENT-8', { ...KERNEL_RUN, isUnconfined: true, consent: 'never' }, false],
  ['CONSENT-8', { ...KERNEL_RUN, isUnconfined: true, grant: 'yes' }, false],
  ['CONSENT-8', { effects: ['read'], machine: 'kernel', isUnconfined: true }, false],
  ['CONSENT-9', { ...KERNEL_RUN, isOutsideSandbox: true }, 'outside of the sandbox'],
  ['CONSENT-9', { ...KERNEL_RUN, isOutsideSandbox: true, consent: 'never' }, 'outside of the sandbox'],
  ['CONSENT-9', { ...CLIENT, isOutsideSandbox: true }, 'outside of the sandbox'],
  ['CONSENT-9', { ...KERNEL_RUN, isOutsideSandbox: true, grant: 'yes' }, false],
];

test.each(CASES)('[%s] %o asks: %s', (_rule, facts, asks) => {
  const question = decide({ ...FACTS, ...facts });
  if (asks === false) expect(question).toBeUndefined();
  else expect(question?.reason).toContain(asks);
});

test('[CONSENT-3] offers lasting decisions to the master, and none for an action that is asked about each time', () => {
  const lasting = ['allow', 'allow_session', 'allow_always', 'allow_prefix', 'allow_edits', 'deny'];
  expect(decide({ ...FACTS, ...CLIENT })?.decisions).toEqual(lasting);
  expect(decide({ ...FACTS, ...CLIENT, trusted: false })?.decisions).toEqual(['allow', 'deny']);
  expect(decide({ ...FACTS, isUnique: true })?.decisions).toEqual(['allow', 'deny']);
  const outside = { ...FACTS, ...KERNEL_RUN, isOutsideSandbox: true };
  expect(decide(outside)?.decisions).toEqual(['allow', 'allow_prefix', 'deny']);
  expect(decide({ ...outside, trusted: false })?.decisions).toEqual(['allow', 'deny']);
});
