/** The two tools by which a model sees the modules and asks the master to approve one (BT-6). */
import {
  type BeginContext,
  type Extensions,
  failure,
  type RequestEnding,
  type RequestHandle,
  type Tool,
  type ToolOutput,
} from '@chat-kernel/kernel';
import { type JsonObject, type Module, renderSections, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import type { ModuleHost } from './module-host.ts';

type Host = Pick<ModuleHost, 'approve' | 'fingerprint'> & Pick<Extensions, 'modules'>;

const GROUP = 'modules';
const APPROVE = 'Approve';
const DECISIONS = { discuss: 'Talk it over', answer_in_text: 'Answer in my own words' } as const;

/** @param timeoutSecs how long the question of module_approve waits for an answer */
export const moduleTools = (host: Host, timeoutSecs: number): Tool[] => [
  moduleList(host),
  moduleApprove(host, timeoutSecs),
];

const common = { group: GROUP, icon: '🧩', client_only: false, on_demand: false, source: 'builtin' } as const;

const moduleList = (host: Host): Tool => ({
  ...common,
  name: 'module_list',
  description:
    'Lists the modules that extend this service, each with its status, version and tools, and why it is not up.',
  input_schema: { type: 'object', properties: {} },
  trusted_only: true,
  outside_effect: false,
  async run() {
    const modules = host.modules();
    if (modules.length === 0) return { output: 'There are no modules.' };
    return { output: renderSections(modules.map(sectionOf)) };
  },
});

function sectionOf({ name, status, version, about, tools, stages, problem }: Module) {
  const facts = { status, version, about, tools: tools.join(', '), stages: stages.join(', '), problem };
  const known = Object.entries(facts).filter(([, fact]) => fact !== null && fact !== '');
  return { title: name, content: known.map(([key, fact]) => `${key}: ${fact}`).join('\n') };
}

function moduleApprove(host: Host, timeoutSecs: number): Tool {
  const name = 'module_approve';
  return {
    ...common,
    name,
    description:
      'Asks the master to approve a module, so that its tools and stages take part. For a module that waits to be approved; only the master can say yes.',
    input_schema: {
      type: 'object',
      properties: { name: { type: 'string', description: 'The name of the module.' } },
      required: ['name'],
    },
    trusted_only: true,
    master_only: true,
    outside_effect: true,
    lead_only: true,
    asks_questions: true,
    begin(given, { call_id, request, turn_context }: BeginContext) {
      const module = host.modules().find(each => each.name === given.name);
      if (!turn_context.privileged || !module || !waitsForDecision(module)) return null;
      const hash = host.fingerprint(module.name);
      const input: JsonObject = { ...given, questions: [questionAbout(module)], decisions: DECISIONS };
      const open = request({
        kind: 'question',
        event: { type: 'tool_call', id: call_id, name, input },
        timeout_secs: timeoutSecs,
        question: 0,
        decisions: Object.keys(DECISIONS),
      });
      return { input, output: outcomeOf(open, host, module.name, hash) };
    },
    // Only calls that need no question come here: `begin` has handled all others.
    async run(given, { turn_context }) {
      if (!turn_context.privileged) return failure('Only the master can approve a module.');
      const module = host.modules().find(each => each.name === given.name);
      if (!module) return failure(`There is no module ${given.name}. module_list tells which there are.`);
      return failure(
        `The module ${module.name} does not wait to be approved: its status is ${module.status}.`,
      );
    },
  };
}

/** Whether there is something to decide: the module is known, and may not do anything. */
const waitsForDecision = ({ status, version }: Module): boolean =>
  version !== null && (status === 'pending' || status === 'revoked');

function questionAbout({ name, version, about, tools, stages }: Module) {
  const does = [
    tools.length > 0 ? `adds the tools ${tools.join(', ')}` : 'adds no tools',
    stages.length > 0 ? `takes part in turns at the stages ${stages.join(', ')}` : 'does not step into turns',
  ];
  return {
    question: `Approve the module ${name}, version ${version} (${about})? It ${does.join(' and ')}.`,
    header: 'Module',
    options: [
      { label: APPROVE, description: 'It is used from now on, until it changes.' },
      { label: 'Do not approve', description: 'It stays without effect.' },
    ],
  };
}

async function outcomeOf(
  { ending }: RequestHandle,
  host: Host,
  name: string,
  hash: string | undefined,
): Promise<ToolOutput> {
  const ended = await ending;
  if (!saysYes(ended)) return noYes(ended, name);
  try {
    const { tools } = await host.approve(name, hash);
    return { output: `The module ${name} is approved. Its tools: ${tools.join(', ') || 'none'}.` };
  } catch (error) {
    return failure(`The module ${name} was not approved: ${error instanceof Error ? error.message : error}`);
  }
}

/** Only the option itself counts as a yes: other words of the master, or a decision beside it, do not. */
const saysYes = (ending: RequestEnding): boolean =>
  ending.reason === 'answered' &&
  ending.answer.answer === APPROVE &&
  ending.answer.decision === undefined &&
  ending.answer.error === undefined;

function noYes(ending: RequestEnding, name: string): ToolOutput {
  if (ending.reason === 'expired') return failure('No answer came from the client in time.');
  if (ending.reason !== 'answered') return failure(UNFINISHED_RESULT);
  const { decision, error, answer = '' } = ending.answer;
  if (error !== undefined) return failure(`The question could not be asked: ${error}`);
  switch (decision) {
    case 'discuss':
      return { output: `[not approved yet: the master wants to talk it over first]\n${answer}`.trim() };
    case 'answer_in_text':
      return {
        output: '[not approved yet: the master answers in words of their own, in the next message]',
        ends_turn: true,
      };
    default:
      return { output: `The master did not approve the module ${name}. The answer was: ${answer}` };
  }
}
