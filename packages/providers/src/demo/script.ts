/**
 * Scripts the demo model's answer to a request: a list of beats, chosen by the user's words and the returned results.
 */
import type { ModelRequest } from '@chat-kernel/kernel';
import type { JsonObject } from '@chat-kernel/protocol';
import { toSingleLine } from '@chat-kernel/text';
import { ABILITIES, PLAN_STEPS, planAt, spelledCall } from './abilities.ts';
import type { DemoRequest, ReturnedCall } from './request.ts';
import { longText, SLOW_TEXT, SUMMARY } from './texts.ts';

type Beat =
  | { type: 'think'; text: string }
  | { type: 'say'; text: string }
  | { type: 'call'; name: string; input: JsonObject }
  /** Draws a picture; the same words give the same picture. */
  | { type: 'draw'; words: string };

const say = (text: string): Beat => ({ type: 'say', text });
const think = (text: string): Beat => ({ type: 'think', text });

export function answer(
  request: DemoRequest,
  { tools, effort }: Pick<ModelRequest, 'tools' | 'effort'>,
): Beat[] {
  if (request.summary) return [say(SUMMARY)];
  const offered = new Set(tools.map(tool => tool.name));
  const beats: Beat[] = [];
  if (request.step > 0) {
    const planned = nextPlan(request, offered);
    if (planned) return [planned];
    const loaded = callsOfLoaded(request, offered);
    return loaded.length > 0 ? loaded : summary(request.returned);
  }
  if (request.first) beats.push(say(greeting(offered)));
  if (effort === 'mid' || effort === 'high' || request.says('think')) beats.push(think(thoughtsOn(request)));

  const calls = wantedCalls(request, offered);
  const onDemand = calls.find(({ name, group }) => group !== undefined && !offered.has(name));
  if (onDemand && offered.has('load_tools')) {
    return [...beats, { type: 'call', name: 'load_tools', input: { group: onDemand.group } }];
  }
  const refused = calls.filter(call => !offered.has(call.name)).map(call => call.name);
  if (refused.length > 0) beats.push(say(`The tool ${refused.join(', ')} is not offered here. `));
  const possible = possibleCalls(calls, offered);
  if (possible.length > 0) return [...beats, ...possible];
  if (calls.some(call => !call.input))
    beats.push(say('What follows the name of the tool must be a JSON object. '));

  if (RECALL.test(request.text)) return [...beats, say(recollection(request.remembered))];
  if (request.says('draw'))
    return [...beats, say('Here is a picture:\n\n'), { type: 'draw', words: request.text }];
  if (request.says('long')) return [...beats, say(longText())];
  if (request.says('slow')) return [...beats, say(SLOW_TEXT)];
  return calls.length > 0 ? beats : [...beats, say(echo(request))];
}

interface WantedCall {
  name: string;
  /** Absent if it could not be read. */
  input?: JsonObject;
  group?: string | undefined;
}

/** Returns the calls that the text requests. */
function wantedCalls(request: DemoRequest, offered: Set<string>): WantedCall[] {
  const spelled = spelledCall(request.text, offered);
  if (spelled) return [spelled];
  const calls = ABILITIES.flatMap(ability =>
    ability
      .inputs(request.text, request.file_ids, request.now)
      .map(input => ({ name: ability.tool, input, group: ability.group })),
  );
  return request.says('plan') ? [...calls, { name: 'plan', input: { tasks: planAt(0) } }] : calls;
}

const possibleCalls = (calls: readonly WantedCall[], offered: Set<string>): Beat[] =>
  calls.flatMap(({ name, input }): Beat[] =>
    offered.has(name) && input ? [{ type: 'call', name, input }] : [],
  );

/** Returns the calls for which a group was loaded in the previous step. */
function callsOfLoaded(request: DemoRequest, offered: Set<string>): Beat[] {
  const { returned } = request;
  const loaded = returned.every(({ name, is_error }) => name === 'load_tools' && !is_error);
  if (returned.length === 0 || !loaded || spelledCall(request.text, offered)) return [];
  return possibleCalls(wantedCalls(request, offered), offered);
}

/** Returns the call that shows the next state of a plan in progress. */
function nextPlan(request: DemoRequest, offered: Set<string>): Beat | undefined {
  const done = request.returned.filter(call => call.name === 'plan' && !call.is_error).length;
  const spelled = spelledCall(request.text, offered) !== undefined;
  return !spelled && done > 0 && done < PLAN_STEPS
    ? { type: 'call', name: 'plan', input: { tasks: planAt(done) } }
    : undefined;
}

const RECALL = /\bwhat\s+do\s+you\s+remember\b/i;

const recollection = (entries: readonly string[]): string =>
  entries.length === 0
    ? 'I remember nothing.'
    : `I remember, in every chat:\n\n${entries.map(entry => `- ${entry}\n`).join('')}`;

function summary(returned: ReturnedCall[]): Beat[] {
  const harder = returned.some(call => call.name === 'think_harder' && !call.is_error);
  const lines = returned
    .filter((call, index) => call.name !== 'plan' || index === returned.length - 1)
    .map(call => `- \`${call.name}\` ${call.is_error ? 'failed' : 'answered'}: ${shortened(call.output)}\n`);
  const beats: Beat[] = harder
    ? [think('Harder, then: I go through it once more, from the start, and from the end. ')]
    : [];
  if (lines.length === 0) return [...beats, say('Nothing came back.')];
  return [...beats, say(`This is what came back:\n\n${lines.join('')}`)];
}

function shortened(output: string): string {
  const line = toSingleLine(output);
  if (line === '') return '(nothing)';
  return line.length > 200 ? `${line.slice(0, 200)}… (${output.length} characters)` : line;
}

function greeting(offered: Set<string>): string {
  const withTools = ABILITIES.filter(
    ({ tool, group }) => offered.has(tool) || (group !== undefined && offered.has('load_tools')),
  ).map(ability => ability.example);
  const plan = offered.has('plan') ? ['plan'] : [];
  const recall = offered.has('memory') ? ['what do you remember?'] : [];
  const words = [
    'think',
    'draw',
    'long',
    'slow',
    'fail',
    ...plan,
    ...withTools,
    ...recall,
    'call <tool> {json}',
  ];
  return (
    'I am the demo model: there is no real model behind me, I only show what this kernel can do. ' +
    `Say one of these: ${words.map(word => `\`${word}\``).join(', ')}.\n\n`
  );
}

const thoughtsOn = (request: DemoRequest): string =>
  `The user wrote ${request.text.length} characters. A real model would weigh them now. I look for the words I know, and then I answer. `;

function echo(request: DemoRequest): string {
  const seen = [
    request.images > 0 ? `I see ${request.images} image${request.images > 1 ? 's' : ''}. ` : '',
    request.files.length > 0 ? `I got ${request.files.join(', ')}. ` : '',
  ].join('');
  return request.text ? `${seen}You said: ${request.text}` : `${seen}You said nothing else.`;
}
