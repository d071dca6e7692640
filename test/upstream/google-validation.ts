/**
 * Finds requests that generateContent rejects: calls at the wrong position, responses that do not match them, foreign
 * signatures.
 */
import { repeated } from './wire.ts';

/** Signatures that this server handed out. */
export interface GoogleMemory {
  signatures: Set<string>;
}

interface ContentPart {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: { name?: string; args?: object };
  functionResponse?: { name?: string; response?: object };
}
interface Content {
  role?: string;
  parts?: ContentPart[];
}
interface GenerateRequest {
  contents?: Content[];
  tools?: { functionDeclarations?: { name?: string }[] }[];
}

/** Signatures with which a client may declare that a call came from another provider and has none. */
const NO_SIGNATURE = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];

/** Whether the model requires the signatures of the running turn. */
export const isSigningModel = (model: string): boolean => model.includes('gemini-3');

/** Returns the rejection of this body; undefined if it is valid. */
export function refuseContents(
  body: GenerateRequest,
  model: string,
  memory: GoogleMemory,
): string | undefined {
  const contents = body.contents ?? [];
  return (
    refuseRoles(contents) ??
    refuseTurns(contents) ??
    refuseSignatures(contents, memory) ??
    (isSigningModel(model) ? refuseUnsigned(contents) : undefined) ??
    refuseTools(body.tools)
  );
}

function refuseRoles(contents: Content[]): string | undefined {
  if (contents.length === 0) return 'contents is not specified';
  for (const [index, content] of contents.entries()) {
    if (content.role !== 'user' && content.role !== 'model') {
      return 'Please use a valid role: user, model.';
    }
    if (!content.parts?.length) {
      return `* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.`;
    }
    if (content.parts.some(part => part.text === '' && part.thoughtSignature === undefined)) {
      return `* GenerateContentRequest.contents[${index}].parts: required oneof field 'data' must have one initialized field`;
    }
  }
  if (contents[0]?.role !== 'user') return 'Please ensure that multiturn requests begin with a user role.';
  if (contents.at(-1)?.role !== 'user') {
    return 'Please ensure that multiturn requests end with a user role or a function response.';
  }
  return undefined;
}

function refuseTurns(contents: Content[]): string | undefined {
  for (const [index, content] of contents.entries()) {
    const calls = namesOf(content, 'functionCall');
    const odd = calls.find(name => !NAME.test(name));
    if (odd !== undefined) return invalidName(odd);
    const before = contents[index - 1];
    if (calls.length > 0) {
      if (content.role !== 'model' || before?.role !== 'user') {
        return 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
      }
      if (!sameNames(calls, namesOf(contents[index + 1], 'functionResponse'))) {
        return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
      }
    }
    const responses = namesOf(content, 'functionResponse');
    if (responses.length > 0 && !sameNames(responses, namesOf(before, 'functionCall'))) {
      return 'Please ensure that function response turn comes immediately after a function call turn.';
    }
  }
  return undefined;
}

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;
const invalidName = (name: string) =>
  `Invalid function name ${name}. Must start with a letter or an underscore; at most 64 of a-z, A-Z, 0-9, _, ., :, -.`;

const namesOf = (content: Content | undefined, kind: 'functionCall' | 'functionResponse'): string[] =>
  (content?.parts ?? []).flatMap(part => (part[kind] ? [part[kind].name ?? ''] : []));

const sameNames = (some: string[], others: string[]): boolean =>
  JSON.stringify(some.toSorted()) === JSON.stringify(others.toSorted());

function refuseSignatures(contents: Content[], memory: GoogleMemory): string | undefined {
  const signatures = contents.flatMap(content => content.parts ?? []).map(part => part.thoughtSignature);
  const foreign = signatures.some(
    signature =>
      signature !== undefined && !memory.signatures.has(signature) && !NO_SIGNATURE.includes(signature),
  );
  return foreign ? 'Corrupted thought signature.' : undefined;
}

/** Checks that the first call of each step is signed in the running turn, which starts after the user's last text. */
function refuseUnsigned(contents: Content[]): string | undefined {
  const asked = contents.findLastIndex(
    content => content.role === 'user' && namesOf(content, 'functionResponse').length === 0,
  );
  for (const [index, content] of contents.entries()) {
    const first = content.parts?.find(part => part.functionCall);
    if (index > asked && first?.functionCall && first.thoughtSignature === undefined) {
      return `Function call is missing a thought_signature in functionCall parts. Function call \`${first.functionCall.name}\`, position ${index}.`;
    }
  }
  return undefined;
}

function refuseTools(tools: GenerateRequest['tools']): string | undefined {
  const names = (tools ?? []).flatMap(tool => tool.functionDeclarations ?? []).map(one => one.name ?? '');
  const odd = names.find(name => !NAME.test(name));
  if (odd !== undefined) return invalidName(odd);
  const twice = repeated(names);
  return twice === undefined ? undefined : `Duplicate function declaration found: ${twice}`;
}
