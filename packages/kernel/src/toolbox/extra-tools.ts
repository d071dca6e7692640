/** Extra tools: a client brings them for one turn, and they become tools like all others (TURN-6). */
import { cutText, type ExtraTool, KernelError, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { answerText, errorWords } from '../client-machine/answers.ts';
import { NO_ANSWER } from '../client-machine/ask-owner.ts';
import {
  failure,
  type RequestEnding,
  type Tool,
  type ToolOutput,
  type TurnParameters,
} from '../ports/index.ts';
import { inputMistakes, schemaMistake } from './input-schema.ts';
import type { Toolbox } from './toolbox.ts';

/** The longest output of a call, in characters. */
const MAX_OUTPUT_CHARS = 200_000;

/** Providers want both of these fields in every schema. */
const NO_ARGUMENTS = { type: 'object', properties: {} };

/**
 * Checks the extra tools of a request.
 * @throws KernelError tool_name_taken, or invalid_value where two have one name or a schema is none
 */
export function checkExtraTools(declared: readonly ExtraTool[], toolbox: Pick<Toolbox, 'has'>): void {
  const names = new Set<string>();
  for (const [index, { name, input_schema }] of declared.entries()) {
    const place = `/extra_tools/${index}`;
    if (toolbox.has(name)) {
      throw wrong(
        'tool_name_taken',
        `${place}/name`,
        `There is a tool ${name} already: choose another name.`,
      );
    }
    if (names.has(name)) {
      throw wrong('invalid_value', `${place}/name`, `Two extra tools have the name ${name}.`);
    }
    names.add(name);
    const mistake = input_schema && schemaMistake(input_schema);
    if (mistake) throw wrong('invalid_value', `${place}/input_schema`, mistake);
  }
}

/**
 * The extra tools of a turn by name, in the order of their declaration.
 * @param timeoutSecs for those that declare none
 */
export function extraTools(
  { extra_tools = [], client_id }: TurnParameters,
  timeoutSecs: number,
): Map<string, Tool> {
  return new Map(extra_tools.map(declared => [declared.name, toolOf(declared, client_id, timeoutSecs)]));
}

function toolOf(declared: ExtraTool, client_id: string | undefined, timeoutSecs: number): Tool {
  const { name, description, input_schema, timeout_secs = timeoutSecs, ends_turn = false } = declared;
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
    // A call stands under the id of a tool_call of the stream, and the calls of a sub-agent have none there.
    lead_only: true,
    // The kernel cannot know whether the client changes something, so it assumes that.
    outside_effect: true,
    async run(input, context) {
      const mistakes = inputMistakes(schema, input);
      if (mistakes.length > 0) {
        const list = mistakes.map(mistake => `- ${mistake}`).join('\n');
        const output = `The input does not fit the schema of ${name}:\n${list}`;
        return { output, is_error: true, refused: true };
      }
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
      return outputOf(await ending, ends_turn);
    },
  };
}

function outputOf(ending: RequestEnding, ends_turn: boolean): ToolOutput {
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
 * The output as the model gets it, cut: a client may send far more than any model can read, and each further step
 * would send it again.
 */
function shown(output: string): string {
  const cut = cutText(output, MAX_OUTPUT_CHARS);
  return cut === output ? cut : `${cut}\n[${output.length - cut.length} more characters: ask for less]`;
}

const wrong = (code: 'tool_name_taken' | 'invalid_value', pointer: string, detail: string): KernelError =>
  new KernelError(code, detail, { errors: [{ pointer, detail }] });
