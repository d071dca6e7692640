/**
 * Asks the user before operations of the kernel's own machine, before calls that leave the owner's machines or outlive
 * the chat, and before external actions of modules (WHO-6, CONSENT-3, CONSENT-4).
 */
import { DESCRIBES_REQUEST, factsOfDecision, type JsonObject } from '@chat-kernel/protocol';
import { COMMAND_OUTPUT } from '../consent/outside.ts';
import type { LocalOperation, OutsideAct, Permitted, Tool } from '../ports/index.ts';
import { askOwner } from './ask-owner.ts';
import { type ApprovalContext, isByPrefix, type OperationRequest, questionFor } from './question.ts';

/**
 * Asks the user, if a rule requires it and no grant covers the operation. Any client of the master may answer, only
 * with a decision.
 * @throws Refused, Unanswered, OperationError: the operation may not be performed
 */
export async function consentTo(
  operation: LocalOperation,
  asking: ApprovalContext,
  { name: tool, asks }: Pick<Tool, 'asks' | 'name'>,
): Promise<Permitted> {
  const {
    isSecret,
    isProtected,
    isElsewhere,
    isNewWorkdir,
    isUnconfined,
    isOutsideSandbox,
    target,
    ...change
  } = operation;
  const { action, ...params } = change;
  const flags = {
    isSecret,
    isProtected,
    isElsewhere,
    isNewWorkdir,
    isUnconfined,
    isOutsideSandbox,
    isConnection: action === 'connect',
    isNamedBySettings: asks,
  };
  // Without a sandbox, a command may send anything anywhere.
  const isFree = change.action === 'shell' && change.sandbox === 'none';
  const facts: OperationRequest['facts'] = {
    tool,
    ...(isFree && { effects: ['execute', 'send'], ownSource: COMMAND_OUTPUT }),
    ...Object.fromEntries(Object.entries(flags).filter(([, fact]) => fact === true)),
  };
  const source = isFree ? COMMAND_OUTPUT : undefined;
  const { timeout_secs } = asking;
  const asked = { action, params, on: 'server', timeout_secs, target, source, facts } as const;
  const { decision } = await askOwner(asking, asked);
  // An answer takes precedence over grants, because it may cover less.
  if (decision !== undefined) return { by_prefix: factsOfDecision(decision)?.reach === 'prefix' };
  return { by_prefix: isByPrefix(asking, asked) };
}

interface CallFacts {
  /** The module whose conversation the turn answers in. */
  surface: string | undefined;
  /** Whether the address of the call is known by text that the turn may trust; called only if the answer decides. */
  isKnownAddress(address: string): Promise<boolean>;
}

/**
 * Asks the user before a call of a module, a server or a feature, as `consentTo`.
 */
export async function consentToCall(
  tool: Tool,
  input: JsonObject,
  asking: ApprovalContext,
  { surface, isKnownAddress }: CallFacts,
): Promise<void> {
  if (tool.asks_itself) return;
  const { name, asks = false, source } = tool;
  const answersHere = tool.assumed_effects && surface !== undefined && tool.group === surface;
  const effects = answersHere ? [] : (tool.effectsOf?.(input) ?? tool.effects);
  const address = effects.includes('send') ? webAddress(input) : undefined;
  const operation = {
    action: name,
    params: shownInput(input),
    on: 'server',
    timeout_secs: asking.timeout_secs,
    target: address?.host,
    // Calls without an address go to their module or server.
    recipient: tool.group,
    source: sourceOf(tool, input),
    facts: { tool: name, effects, machine: 'none', isNamedBySettings: asks, isOfServer: source === 'mcp' },
  } as const;
  if (questionFor(asking, operation) === undefined) return;
  const known = address !== undefined && (await isKnownAddress(address.text));
  const { facts } = operation;
  await askOwner(asking, known ? { ...operation, facts: { ...facts, isKnownAddress: true } } : operation);
}

/** Where the words in the results of a call come from that the owner did not write; undefined: there are none. */
export function sourceOf({ outside }: Pick<Tool, 'outside'>, input: JsonObject): string | undefined {
  const address = outside === undefined ? undefined : webAddress(input);
  return address === undefined ? outside : `web:${address.host}`;
}

/**
 * Asks the user about an external action of a module. An approval counts only once: the next action has another
 * recipient and other text.
 * @throws Refused, Unanswered, OperationError: the action may not be performed
 */
export async function consentToAct({ action, shown }: OutsideAct, asking: ApprovalContext): Promise<void> {
  const { timeout_secs } = asking;
  const facts = { machine: 'none', effects: ['send'], isUnique: true } as const;
  const recipient = onlyRecipient(shown);
  await askOwner(asking, { action, params: shown, on: 'server', timeout_secs, recipient, facts });
}

/** The recipient of an action that sends a text to one address and nothing else, such as a file or a copy. */
const onlyRecipient = ({ to, ...rest }: OutsideAct['shown']): string | undefined =>
  Object.keys(rest).every(name => name === 'subject' || name === 'text') ? to : undefined;

/** The web address that a call is about. */
function webAddress({ url }: JsonObject): { text: string; host: string } | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? { text: url, host } : undefined;
}

/** The input as the owner reads it: a text per field. A field that has the name of one of the request is shown with all. */
function shownInput(input: JsonObject): Record<string, string> {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  const names = Object.keys(input);
  if (names.some(name => Object.hasOwn(DESCRIBES_REQUEST, name))) return { input: text(input) };
  return Object.fromEntries(names.map(name => [name, text(input[name])]));
}
