/** Defines the two tools with which a model lists modules and asks the owner to approve one (BT-6). */
import {
  type BeginContext,
  type Extensions,
  failure,
  outputWithoutYes,
  QUESTION_DECISIONS,
  type RequestHandle,
  saysYes,
  type Tool,
  type ToolOutput,
} from '@chat-kernel/kernel';
import { type JsonObject, type Module, renderSections } from '@chat-kernel/protocol';
import type { ModuleHost } from './module-host.ts';

type Host = Pick<ModuleHost, 'approve' | 'fingerprint'> & Pick<Extensions, 'modules'>;

const GROUP = 'modules';
const APPROVE = 'Approve';

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
    'Lists the modules of this service with status, version and tools, and the reason if a module is not running.',
  input_schema: { type: 'object', properties: {} },
  trusted_only: true,
  outside_effect: false,
  effects: [],
  async run() {
    const modules = host.modules();
    if (modules.length === 0) return { output: 'No modules are installed.' };
    return { output: renderSections(modules.map(toSection)) };
  },
});

function toSection({ name, status, version, about, tools, stages, problem, problems }: Module) {
  const facts = { status, version, about, tools: tools.join(', '), stages: stages.join(', '), problem };
  const ofTools = problems.map(sentence => ['problem', sentence] as const);
  const known = [...Object.entries(facts), ...ofTools].filter(([, fact]) => fact !== null && fact !== '');
  return { title: name, content: known.map(([key, fact]) => `${key}: ${fact}`).join('\n') };
}

function moduleApprove(host: Host, timeoutSecs: number): Tool {
  const name = 'module_approve';
  return {
    ...common,
    name,
    description:
      'Asks the user to approve a pending module, which enables its tools and stages. Only the user can approve.',
    input_schema: {
      type: 'object',
      properties: { name: { type: 'string', description: 'The name of the module.' } },
      required: ['name'],
    },
    trusted_only: true,
    master_only: true,
    outside_effect: true,
    effects: ['remember'],
    asks_itself: true,
    lead_only: true,
    asks_questions: true,
    begin(given, { call_id, request, turn_context }: BeginContext) {
      const module = host.modules().find(each => each.name === given.name);
      if (!turn_context.privileged || !module || !waitsForDecision(module)) return null;
      const hash = host.fingerprint(module.name);
      const input: JsonObject = {
        ...given,
        questions: [questionAbout(module)],
        decisions: QUESTION_DECISIONS,
      };
      const open = request({
        kind: 'question',
        event: { type: 'tool_call', id: call_id, name, input },
        timeout_secs: timeoutSecs,
        question: 0,
        decisions: Object.keys(QUESTION_DECISIONS),
      });
      return { input, output: awaitOutcome(open, host, module.name, hash) };
    },
    // Only calls that need no question arrive here: `begin` has handled all others.
    async run(given, { turn_context }) {
      if (!turn_context.privileged) return failure('Only the user can approve a module.');
      const module = host.modules().find(each => each.name === given.name);
      if (!module) return failure(`There is no module ${given.name}. module_list lists all modules.`);
      return failure(`The module ${module.name} is not pending: its status is ${module.status}.`);
    },
  };
}

/** Whether a decision is possible: the module is known, and not allowed to do anything. */
const waitsForDecision = ({ status, version }: Module): boolean =>
  version !== null && (status === 'pending' || status === 'revoked');

function questionAbout({ name, version, about, tools, stages }: Module) {
  const does = [
    tools.length > 0 ? `adds the tools ${tools.join(', ')}` : 'adds no tools',
    stages.length > 0 ? `runs in turns at the stages ${stages.join(', ')}` : 'does not run in turns',
  ];
  return {
    question: `Approve the module ${name}, version ${version} (${about})? It ${does.join(' and ')}.`,
    header: 'Module',
    options: [
      { label: APPROVE, description: 'The module is active until it changes.' },
      { label: 'Deny', description: 'The module stays disabled.' },
    ],
  };
}

async function awaitOutcome(
  { ending }: RequestHandle,
  host: Host,
  name: string,
  hash: string | undefined,
): Promise<ToolOutput> {
  const ended = await ending;
  if (!saysYes(ended, APPROVE)) {
    return outputWithoutYes(ended, 'approved', `The user did not approve the module ${name}.`);
  }
  try {
    const { tools } = await host.approve(name, hash);
    return { output: `The module ${name} is approved. Its tools: ${tools.join(', ') || 'none'}.` };
  } catch (error) {
    return failure(`The module ${name} was not approved: ${error instanceof Error ? error.message : error}`);
  }
}
