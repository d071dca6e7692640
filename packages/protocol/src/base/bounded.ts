/**
 * Defines arrays and records of requests: each has a maximum, which is checked before its elements, and validation ends
 * at MAX_ISSUES. A long list yields to the event loop while it is validated asynchronously (SAFE-7).
 */
import { setImmediate as nextTick } from 'node:timers/promises';
import { z } from 'zod';

/** The maximum number of problems that the validation of a request reports. */
export const MAX_ISSUES = 100;
/** Milliseconds of validation after which other work can run. */
const SLICE_MS = 8;

/** When the current piece of validation began. One value for all lists, because they share one event loop. */
let began = 0;

interface ListDef extends z.core.$ZodArrayDef {
  most: number;
}
const List = z.core.$constructor('List', (inst: z.ZodArray, def: ListDef) => {
  z.ZodArray.init(inst, def as never);
  const parse = inst._zod.parse;
  inst._zod.parse = (payload, ctx) => {
    const input: unknown = payload.value;
    // The original refuses it before it looks at any element.
    if (Array.isArray(input) && input.length > def.most) return parse(payload, ctx);
    if (!Array.isArray(input)) {
      // Without `continue`, the maximum would be compared with the length of a text, which zod counts.
      payload.issues.push({ code: 'invalid_type', expected: 'array', input, inst, continue: false });
      return payload;
    }
    return parseElements(input, def.element, payload, ctx);
  };
});

/** Maximum length of a name, an id or a path in characters: such texts are compared, logged and repeated in errors. */
const MAX_NAME = 10_000;

/** A text of at most this many characters; no other check reads a longer one. */
export function boundedText(most: number): z.ZodString {
  const schema = z.string().max(most, { abort: true });
  const [check] = schema._zod.def.checks ?? [];
  if (!check) throw new Error('zod has no check for a maximum length.');
  const count = check._zod.check;
  // zod counts characters one by one. A text that is too long even if each has two code units needs no count.
  check._zod.check = payload => {
    const { value: input } = payload;
    if (typeof input !== 'string' || input.length <= 2 * most) return count(payload);
    payload.issues.push({
      code: 'too_big',
      origin: 'string',
      maximum: most,
      inclusive: true,
      input,
      inst: schema,
      continue: false,
    });
  };
  return schema;
}

/** A name, an id or a path. */
export const NameText = boundedText(MAX_NAME);

/** Maximum length of a text for a model in characters: two million tokens. Each step of a turn copies it. */
const MAX_TEXT = 8_000_000;

/** A text that a model reads. */
export const ModelText = boundedText(MAX_TEXT);

/** A quoted message, which gets a sign in front of each line. */
export const QuoteText = boundedText(200_000);

/** The output of a tool, which can be a whole file. */
export const OutputText = boundedText(16_000_000);

/** Maximum length of any text in a request, in bytes. */
export const MAX_STRING = 32_000_000;

/** An image in base64: 24 MB. */
export const ImageText = boundedText(MAX_STRING);

/** An array with a maximum number of elements. */
export const list = <Element extends z.ZodType>(element: Element, most: number): z.ZodArray<Element> =>
  (new List({ type: 'array', element, most }) as unknown as z.ZodArray<Element>).max(most);

type Payload = z.core.ParsePayload;

function parseElements(
  input: readonly unknown[],
  element: z.core.$ZodType,
  payload: Payload,
  ctx: z.core.ParseContextInternal,
): Payload | Promise<Payload> {
  const output: unknown[] = [];
  payload.value = output;
  const parse = (at: number) => element._zod.run({ value: input[at], issues: [] }, ctx);
  const take = ({ value, issues }: Payload) => {
    payload.issues.push(...z.core.util.prefixIssues(output.length, issues));
    output.push(value);
  };
  const isDone = () => output.length >= input.length || payload.issues.length >= MAX_ISSUES;
  const isLong = () => ctx.async === true && performance.now() - began > SLICE_MS;
  const continueLater = async (first?: Promise<Payload>): Promise<Payload> => {
    if (first) take(await first);
    while (!isDone()) {
      if (isLong()) {
        await nextTick();
        began = performance.now();
      }
      take(await parse(output.length));
    }
    return payload;
  };
  while (!isDone()) {
    if (isLong()) return continueLater();
    const result = parse(output.length);
    if (result instanceof Promise) return continueLater(result);
    take(result);
  }
  return payload;
}

interface RecordDef extends z.core.$ZodRecordDef {
  most: number;
}
const BoundedRecord = z.core.$constructor('BoundedRecord', (inst: z.ZodRecord, def: RecordDef) => {
  z.ZodRecord.init(inst, def as never);
  const parse = inst._zod.parse;
  inst._zod.parse = (payload, ctx) => {
    const input: unknown = payload.value;
    if (typeof input !== 'object' || input === null || Object.keys(input).length <= def.most)
      return parse(payload, ctx);
    payload.issues.push({ code: 'custom', input, inst, message: `expected at most ${def.most} fields` });
    return payload;
  };
});

type JsonRecord = z.ZodRecord<z.ZodString, z.ZodUnknown>;

/** An object with any JSON, and a maximum number of fields. */
export const boundedObject = (most: number): JsonRecord =>
  (
    new BoundedRecord({
      type: 'record',
      keyType: z.string(),
      valueType: z.unknown(),
      most,
    }) as unknown as JsonRecord
  ).meta({ maxProperties: most });

export const Section = z.object({ title: NameText, content: OutputText });
export type Section = z.infer<typeof Section>;

/** The sections of one answer to the kernel. */
export const SectionList = z.array(Section).max(1000);

/** Returns the sections as one text, separated by empty lines; a section without content is only its title (OP-13). */
export const renderSections = (sections: readonly Section[]): string =>
  sections
    .map(({ title, content }) => (content === '' ? `== ${title}` : `== ${title}\n${content}`))
    .join('\n\n');
