/** A field of a form that a server asks to be filled in: the question about it, and the value in an answer. */
import type { OwnerQuestion } from '@chat-kernel/kernel';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/client';
import { cut, SENTENCE_CHARS } from '../rules/limits.ts';

export type FieldSchema = ElicitRequestFormParams['requestedSchema']['properties'][string];
type FieldValue = string | number | boolean | string[];

export const DECLINE = 'Decline to answer';
const SKIP = 'Leave it out';
/** Options of a question; where there are more, the owner types. */
const MOST_OPTIONS = 18;

export class FormField {
  readonly name: string;
  readonly #schema: FieldSchema;
  readonly #isRequired: boolean;
  readonly #choices: readonly Choice[];

  constructor(name: string, schema: FieldSchema, isRequired: boolean) {
    this.name = name;
    this.#schema = schema;
    this.#isRequired = isRequired;
    this.#choices = choicesOf(schema);
  }

  /** What clients draw. */
  get options(): OwnerQuestion['options'] {
    const { default: usual } = this.#schema;
    // What is usual stands in the lists of choices already, where there are some.
    const free = usual === undefined ? [] : [{ label: String(usual) }];
    const choices = this.#choices.slice(0, MOST_OPTIONS).map(({ label }) => ({ label }));
    const shown = choices.length > 0 ? choices : free;
    return [...shown, ...(this.#isRequired ? [] : [{ label: SKIP }]), { label: DECLINE }];
  }

  get isMultiple(): boolean {
    return this.#schema.type === 'array';
  }

  /** Name and meaning of the field, with all choices where not all of them are options. */
  get words(): string {
    const { title = this.name, description } = this.#schema;
    const all =
      this.#choices.length > MOST_OPTIONS ? [this.#choices.map(({ label }) => label).join(', ')] : [];
    return cut([title, description, ...all].filter(words => words).join(': '), SENTENCE_CHARS);
  }

  /** Returns the value in the answer of the owner, undefined for none. @throws RangeError a sentence: it does not fit */
  read(answer: string): FieldValue | undefined {
    const text = answer.trim();
    if (text === '' || text === SKIP) {
      if (this.#isRequired) throw new RangeError('It has to be answered.');
      return undefined;
    }
    const schema = this.#schema;
    if (schema.type === 'array') return this.#several(text);
    if (this.#choices.length > 0) return this.#chosen(text);
    if (schema.type === 'number' || schema.type === 'integer') return numberIn(text, schema);
    const { minLength, maxLength } = schema as { minLength?: number; maxLength?: number };
    if (text.length < (minLength ?? 0))
      throw new RangeError(`It has to have ${minLength} characters or more.`);
    if (text.length > (maxLength ?? text.length)) {
      throw new RangeError(`It has to have ${maxLength} characters or fewer.`);
    }
    return text;
  }

  #chosen(text: string): string | boolean {
    const chosen = this.#choices.find(({ label, value }) => label === text || value === text);
    if (chosen === undefined) throw new RangeError('It has to be one of the options.');
    return chosen.value;
  }

  /** Labels may have commas in them: each is taken whole. */
  #several(text: string): string[] {
    const values: string[] = [];
    let rest = text;
    while (rest !== '') {
      const chosen = this.#choices.find(({ label }) => rest === label || rest.startsWith(`${label}, `));
      if (chosen === undefined)
        throw new RangeError('They have to be of the options, with a comma between them.');
      values.push(String(chosen.value));
      rest = rest.slice(chosen.label.length + 2);
    }
    return values;
  }
}

interface Choice {
  label: string;
  value: string | boolean;
}

const BOOLEANS: readonly Choice[] = [
  { label: 'Yes', value: true },
  { label: 'No', value: false },
];

function choicesOf(schema: FieldSchema): Choice[] {
  if (schema.type === 'boolean') return [...BOOLEANS];
  const values = schema.type === 'array' ? schema.items : schema;
  const titled = 'oneOf' in values ? values.oneOf : 'anyOf' in values ? values.anyOf : undefined;
  if (titled !== undefined) return titled.map(each => ({ label: each.title, value: each.const }));
  if (!('enum' in values)) return [];
  const names = 'enumNames' in values && Array.isArray(values.enumNames) ? values.enumNames : [];
  return values.enum.map((value, index) => ({ label: String(names[index] ?? value), value }));
}

function numberIn(
  text: string,
  { type, minimum, maximum }: { type: string; minimum?: number | undefined; maximum?: number | undefined },
): number {
  const value = Number(text);
  if (!Number.isFinite(value) || (type === 'integer' && !Number.isInteger(value))) {
    throw new RangeError(type === 'integer' ? 'It has to be a whole number.' : 'It has to be a number.');
  }
  if (value < (minimum ?? value)) throw new RangeError(`It has to be ${minimum} or more.`);
  if (value > (maximum ?? value)) throw new RangeError(`It has to be ${maximum} or less.`);
  return value;
}
