/**
 * Joins the pieces of the calls of one response. Servers identify the call of a piece by its index, its id, both or
 * neither, and some of these are wrong.
 */
import type { LanguageModelV4ToolCall } from '@ai-sdk/provider';
import { CallBounds } from '../trip/bounds.ts';

export interface CallPiece {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: string | null } | null;
  extra_content?: { google?: { thought_signature?: string | null } | null } | null;
}
interface PartialCall {
  id: string;
  name: string;
  input: string;
  signature: string | undefined;
}

export class PartialCalls {
  readonly #calls: PartialCall[] = [];
  readonly #bounds: CallBounds;
  /** Index on the wire → the call to which pieces with this index belong. */
  readonly #byIndex = new Map<number, PartialCall>();

  /** @param provider name for errors */
  constructor(provider: string) {
    this.#bounds = new CallBounds(provider);
  }

  /** @throws ModelError if the calls are too many or too long */
  add(piece: CallPiece): void {
    const call = this.#openCall(piece) ?? this.#begin(piece);
    call.id ||= String(piece.id ?? '');
    call.name ||= String(piece.function?.name ?? '');
    const args: unknown = piece.function?.arguments ?? '';
    // A few servers send the object itself.
    const input = typeof args === 'string' ? args : JSON.stringify(args);
    this.#bounds.add(call, input);
    call.input += input;
    call.signature ??= piece.extra_content?.google?.thought_signature ?? undefined;
  }

  /** The calls as they are so far. */
  toParts(): LanguageModelV4ToolCall[] {
    return this.#calls.map(({ id, name, input, signature }) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      input,
      ...(signature && { providerMetadata: { compatible: { thoughtSignature: signature } } }),
    }));
  }

  #begin({ index }: CallPiece): PartialCall {
    const call = { id: '', name: '', input: '', signature: undefined };
    this.#calls.push(call);
    if (typeof index === 'number') this.#byIndex.set(index, call);
    return call;
  }

  /** The call to which a piece belongs; undefined if it begins one. Only the beginning of a call has a name. */
  #openCall({ index, id, function: made }: CallPiece): PartialCall | undefined {
    const last = this.#calls.at(-1);
    if (typeof index === 'number') {
      const call = this.#byIndex.get(index) ?? (id || made?.name ? undefined : last);
      // Servers with wrong indexes give several calls the same one.
      return call && made?.name && isOther(id, call) ? undefined : call;
    }
    if (last === undefined || !made?.name) return last;
    if (id) return isOther(id, last) ? undefined : last;
    // Servers that repeat the name in each piece: the call is open until its input is complete.
    return last.name === '' || (last.name === made.name && !isJson(last.input)) ? last : undefined;
  }
}

const isOther = (id: string | null | undefined, call: PartialCall): boolean =>
  Boolean(id) && call.id !== '' && id !== call.id;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
