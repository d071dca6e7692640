/** Converts elicitation by a server during a call to questions for the owner, one after the other (MCP-4). */
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

/** Undefined if the owner cannot be asked. */
type Ask = (question: OwnerQuestion) => Promise<RequestEnding | undefined>;

const ACCEPT = 'Accept';
const DONE = 'Done';
/** Maximum number of fields of a form. */
const MAX_FIELDS = 20;
/** Maximum number of invalid answers to one field; after that the form is canceled. */
const MAX_ATTEMPTS = 3;

/** Thrown if the owner declines or cancels, the two results that the protocol has for this. */
class NotAnswered extends Error {
  readonly action: 'decline' | 'cancel';

  constructor(action: 'decline' | 'cancel') {
    super(action);
    this.action = action;
  }
}

/** @throws ProtocolError if the form has too many fields */
export async function handleElicitation(
  server: string,
  params: ElicitRequest['params'],
  ask: Ask,
): Promise<ElicitResult> {
  const says = `The MCP server ${server} asks: ${cut(params.message, SENTENCE_CHARS)}`;
  const header = cut(server, 32);
  const answerTo = async (question: string, options: OwnerQuestion['options'], isMultiple = false) =>
    answerIn(await ask({ question, header, options, ...(isMultiple && { multi_select: true }) }));
  try {
    if (params.mode === 'url') {
      // The address is shown unchanged and never opened here: the owner decides by its host.
      const address = cut(params.url, SENTENCE_CHARS);
      const answer = await answerTo(`${says}\nOpen this URL only if you trust it: ${address}`, [
        { label: DONE, description: 'The server continues.' },
        { label: DECLINE },
      ]);
      return { action: answer === DONE ? 'accept' : 'decline' };
    }
    const fields = parseFields(params);
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

function parseFields({
  requestedSchema: { properties, required = [] },
}: ElicitRequestFormParams): FormField[] {
  const fields = Object.entries<FieldSchema>(properties);
  if (fields.length > MAX_FIELDS) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The form has more than ${MAX_FIELDS} fields, the limit of this client.`,
    );
  }
  return fields.map(([name, schema]) => new FormField(name, schema, required.includes(name)));
}

async function filledIn(field: FormField, answerTo: (wrong: string[]) => Promise<string>) {
  let wrong: string[] = [];
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
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
