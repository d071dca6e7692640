/** Defines the messages of a tool call between two kernels: JSON, one object per line (FLEET-4). */
import { StringDecoder } from 'node:string_decoder';
import {
  ConsentResult,
  ImageMediaType,
  JsonObject,
  OpsResult,
  ResolutionReason,
  TurnContext,
} from '@chat-kernel/protocol';
import { z } from 'zod';

export const CALLS = '/v1/kernels/calls';

/** A call, as the kernel that owns the chat sends it. */
export const CallBody = z.object({
  name: z.string(),
  input: JsonObject,
  turn_context: TurnContext,
});

const Ending = z.union([
  z.object({ reason: z.literal('answered'), answer: OpsResult }),
  z.object({ reason: ResolutionReason.exclude(['answered']) }),
]);

/** The outcome of a question to the owner, or the decision about an external action, sent back by that kernel. */
export const AnswerBody = z.union([
  z.object({ ask: z.int(), ending: Ending }),
  z.object({ ask: z.int(), consent: ConsentResult }),
]);

const Question = z.object({
  question: z.string(),
  header: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string().optional() })),
  multi_select: z.boolean().optional(),
});

const Act = z.object({ action: z.string(), shown: z.record(z.string(), z.string()) });

const Output = z.object({
  output: z.string(),
  is_error: z.boolean().optional(),
  refused: z.literal(true).optional(),
  ends_turn: z.boolean().optional(),
  images: z.array(z.object({ media_type: ImageMediaType, data: z.string() })).optional(),
});

/** A line from the kernel that runs the call; the last one contains its output. */
export const CallLine = z.union([
  z.object({ progress: z.string() }),
  z.object({ ask: z.int(), question: Question }),
  z.object({ ask: z.int(), act: Act }),
  z.object({ unask: z.int() }),
  z.object({ done: Output }),
]);
export type CallLine = z.infer<typeof CallLine>;

/** Parses the lines of an answer. @throws Error if a line is invalid */
export async function* parseCallLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<CallLine> {
  const decoder = new StringDecoder();
  let rest: string[] = [];
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoder.write(chunk).split('\n');
    rest.push(first);
    for (const next of more) {
      const line = rest.join('');
      rest = [next];
      // An empty line means that the call is still running.
      if (line !== '') yield CallLine.parse(JSON.parse(line));
    }
  }
}
