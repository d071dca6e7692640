/** What a server asks the owner in mid-call (elicitation), as questions, one after the other (MCP-4). */
import type { OwnerQuestion, RequestEnding } from '@chat-kernel/kernel';
import {
  type ElicitRequest,
  type ElicitRequestFormParams,
  type ElicitResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import { cut, SENTENCE_CHARS } from '../rules/limits.ts';
import { DECLINE, type FieldSchema, FormField } from './form-field.ts';

/** Undefined: nobody can be asked. */
type Ask = (question: OwnerQuestion) => Promise<RequestEnding | undefined>;

const ACCEPT = 'Accept';
const DONE = 'Done there';
/** Fields of a form. */
const MOST_FIELDS = 20;
/** Answers to one field that do not fit, after which the form is given up. */
const MOST_ATTEMPTS = 3;

/** The owner does not say it, in either of the ways that servers are told. */
class NotAnswered extends Error {
  readonly action: 'decline' | 'cancel';

  constructor(action: 'decline' | 'cancel') {
    super(action);
    this.action = action;
  }
}

/** @throws ProtocolError where the form has too many fields */
export async function elicited(
  server: string,
  params: ElicitRequest['params'],
  ask: Ask,
): Promise<ElicitResult> {
  const says = `The tool server ${server} asks: ${cut(params.message, SENTENCE_CHARS)}`;
  const header = cut(server, 32);
  const answerTo = async (question: string, options: OwnerQuestion['options'], isMultiple = false) =>
    answerIn(await ask({ question, header, options, ...(isMultiple && { multi_select: true }) }));
  try {
    if (params.mode === 'url') {
      // The address is shown as it is, and never opened here: its host is what the owner decides by.
      const address = cut(params.url, SENTENCE_CHARS);
      const answer = await answerTo(`${says}\nOpen this address yourself, if you trust it: ${address}`, [
        { label: DONE, description: 'The server goes on.' },
        { label: DECLINE },
      ]);
      return { action: answer === DONE ? 'accept' : 'decline' };
    }
    const fields = fieldsOf(params);
    if (fields.length === 0) {
      const answer = await answerTo(says, [{ label: ACCEPT }, { label: DECLINE }]);
      return answer === ACCEPT ? { action: 'accept', content: {} } : { action: 'decline' };
    }
    const content: NonNullable<ElicitResult['content']> = {};
    for (const [index, field] of fields.entries()) {
      const place = fields.length > 1 ? ` (${index + 1} of ${fields.length})` : '';
      const value = await filledIn(field, wrong =>
        answerTo([`${says}\n${field.words}${place}`, ...wrong].join('\n'), field.options, field.isMultiple),
      );
      if (value !== undefined) content[field.name] = value;
    }
    return { action: 'accept', content };
  } catch (error) {
    if (error instanceof NotAnswered) return { action: error.action };
    throw error;
  }
}

function fieldsOf({ requestedSchema: { properties, required = [] } }: ElicitRequestFormParams): FormField[] {
  const fields = Object.entries<FieldSchema>(properties);
  if (fields.length > MOST_FIELDS) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `A form of more than ${MOST_FIELDS} fields is not asked.`,
    );
  }
  return fields.map(([name, schema]) => new FormField(name, schema, required.includes(name)));
}

async function filledIn(field: FormField, answerTo: (wrong: string[]) => Promise<string>) {
  let wrong: string[] = [];
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const answer = await answerTo(wrong);
    try {
      return field.read(answer);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      wrong = [error.message];
    }
  }
  throw new NotAnswered('cancel');
}

/** @throws NotAnswered */
function answerIn(ending: RequestEnding | undefined): string {
  if (ending?.reason !== 'answered' || ending.answer.error !== undefined) throw new NotAnswered('cancel');
  const { answer = '' } = ending.answer;
  if (answer === DECLINE) throw new NotAnswered('decline');
  return answer;
}
