/** What kernels say to each other while a call of one's tool runs at the other: JSON, an object a line (FLEET-4). */
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

/** A call, as the kernel sends it whose chat makes it. */
export const CallBody = z.object({
  name: z.string(),
  input: JsonObject,
  turn_context: TurnContext,
  trace: z.object({ traceparent: z.string(), tracestate: z.string().optional() }).optional(),
});

const Ending = z.union([
  z.object({ reason: z.literal('answered'), answer: OpsResult }),
  z.object({ reason: ResolutionReason.exclude(['answered']) }),
]);

/** How a question to the owner ended, or what he said to an act, as that kernel answers it. */
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

/** A line of the kernel that runs the call; the last one has its output. */
export const CallLine = z.union([
  z.object({ progress: z.string() }),
  z.object({ ask: z.int(), question: Question }),
  z.object({ ask: z.int(), act: Act }),
  z.object({ unask: z.int() }),
  z.object({ done: Output }),
]);
export type CallLine = z.infer<typeof CallLine>;

/** The lines of an answer. @throws Error where one does not have the shape of a line */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<CallLine> {
  const decoder = new StringDecoder();
  let rest: string[] = [];
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoder.write(chunk).split('\n');
    rest.push(first);
    for (const next of more) {
      const line = rest.join('');
      rest = [next];
      // An empty line says that the call goes on.
      if (line !== '') yield CallLine.parse(JSON.parse(line));
    }
  }
}
