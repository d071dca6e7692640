/** Converts extra tools, which a client provides for one turn, to regular tools (TURN-6). */
import { type ExtraTool, invalidValue, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { cutText } from '@chat-kernel/text';
import { answerText, errorWords } from '../client-machine/answers.ts';
import { NO_ANSWER } from '../client-machine/ask-owner.ts';
import { fromExtraTool } from '../consent/outside.ts';
import {
  failure,
  type RequestEnding,
  type Tool,
  type ToolOutput,
  type TurnParameters,
} from '../ports/index.ts';
import { schemaMistake } from './input-schema.ts';
import type { Toolbox } from './toolbox.ts';

/** The maximum length of the output of a call, in characters. */
const MAX_OUTPUT_CHARS = 200_000;

/** Providers require both of these fields in every schema. */
const NO_ARGUMENTS = { type: 'object', properties: {} };

/**
 * Checks the extra tools of a request.
 * @throws KernelError tool_name_taken, or invalid_value if two have the same name or a schema is invalid
 */
export function checkExtraTools(declared: readonly ExtraTool[], toolbox: Pick<Toolbox, 'has'>): void {
  const names = new Set<string>();
  for (const [index, { name, input_schema }] of declared.entries()) {
    const place = `/extra_tools/${index}`;
    if (toolbox.has(name)) {
      throw invalidValue(
        `${place}/name`,
        `A tool named ${name} already exists. Choose another name.`,
        'tool_name_taken',
      );
    }
    if (names.has(name)) {
      throw invalidValue(`${place}/name`, `Two extra tools have the name ${name}.`);
    }
    names.add(name);
    const mistake = input_schema && schemaMistake(input_schema);
    if (mistake) throw invalidValue(`${place}/input_schema`, mistake);
  }
}

/**
 * The extra tools of a turn by name, in the order of their declaration.
 * @param timeoutSecs the timeout for tools that declare none
 */
export function extraTools(
  { extra_tools = [], client_id }: TurnParameters,
  timeoutSecs: number,
): Map<string, Tool> {
  return new Map(extra_tools.map(declared => [declared.name, createTool(declared, client_id, timeoutSecs)]));
}

function createTool(declared: ExtraTool, client_id: string | undefined, timeoutSecs: number): Tool {
  const {
    name,
    description,
    input_schema,
    timeout_secs = timeoutSecs,
    ends_turn = false,
    outside = false,
  } = declared;
  const { $schema: _, ...declaredSchema } = input_schema ?? {};
  const schema = { ...NO_ARGUMENTS, ...declaredSchema };
  return {
    name,
    description,
    input_schema: schema,
    source: 'extra',
    group: 'extra',
    icon: '🧩',
    trusted_only: false,
    client_only: false,
    on_demand: false,
    // A call has the id of a tool_call of the stream, and the calls of a sub-agent are not in the stream.
    lead_only: true,
    // The kernel cannot know whether the client changes something, so it assumes that.
    outside_effect: true,
    // The client itself runs it, and asks its user if it must.
    effects: [],
    ...(outside && { outside: fromExtraTool(name) }),
    async run(input, context) {
      const { ending } = context.request({
        kind: 'op',
        event: {
          type: 'extra_tool_call',
          id: context.call_id,
          name,
          input,
          ...(client_id !== undefined && { client_id }),
        },
        timeout_secs,
      });
      return toToolOutput(await ending, ends_turn);
    },
  };
}

function toToolOutput(ending: RequestEnding, ends_turn: boolean): ToolOutput {
  switch (ending.reason) {
    case 'answered': {
      const { error } = ending.answer;
      const output = shown(answerText(ending.answer));
      if (error === undefined) return { output, ends_turn };
      return failure([errorWords(error), output].filter(text => text !== '').join('\n\n'));
    }
    case 'expired':
      return failure(NO_ANSWER);
    case 'turn_ended':
    case 'cancelled':
      return failure(UNFINISHED_RESULT);
    default:
      return ending satisfies never;
  }
}

/**
 * The output in the form that the model gets, cut: a client may send far more than any model can read, and each further
 * step would send it again.
 */
function shown(output: string): string {
  const cut = cutText(output, MAX_OUTPUT_CHARS);
  return cut === output ? cut : `${cut}\n[${output.length - cut.length} more characters: request less]`;
}
