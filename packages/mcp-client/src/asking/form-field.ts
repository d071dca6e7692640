/** Converts a field of a server's form to a question, and parses its value from an answer. */
import type { OwnerQuestion } from '@chat-kernel/kernel';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/client';
import { cut, SENTENCE_CHARS } from '../rules/limits.ts';

export type FieldSchema = ElicitRequestFormParams['requestedSchema']['properties'][string];
type FieldValue = string | number | boolean | string[];

export const DECLINE = 'Decline to answer';
const SKIP = 'Skip';
/** Maximum number of options in a question; if there are more, the owner types the answer. */
const MAX_OPTIONS = 18;

export class FormField {
  readonly name: string;
  readonly #schema: FieldSchema;
  readonly #isRequired: boolean;
  readonly #choices: readonly Choice[];

  constructor(name: string, schema: FieldSchema, isRequired: boolean) {
    this.name = name;
    this.#schema = schema;
    this.#isRequired = isRequired;
    this.#choices = listChoices(schema);
  }

  /** The options that clients show. */
  get options(): OwnerQuestion['options'] {
    const { default: usual } = this.#schema;
    // A list of choices already contains the default value.
    const free = usual === undefined ? [] : [{ label: String(usual) }];
    const choices = this.#choices.slice(0, MAX_OPTIONS).map(({ label }) => ({ label }));
    const shown = choices.length > 0 ? choices : free;
    return [...shown, ...(this.#isRequired ? [] : [{ label: SKIP }]), { label: DECLINE }];
  }

  get isMultiple(): boolean {
    return this.#schema.type === 'array';
  }

  /** Name and meaning of the field, with all choices if not all of them are options. */
  get words(): string {
    const { title = this.name, description } = this.#schema;
    const all =
      this.#choices.length > MAX_OPTIONS ? [this.#choices.map(({ label }) => label).join(', ')] : [];
    return cut([title, description, ...all].filter(words => words).join(': '), SENTENCE_CHARS);
  }

  /** Parses the owner's answer; undefined if it has no value. @throws RangeError a sentence: the answer is not valid */
  read(answer: string): FieldValue | undefined {
    const text = answer.trim();
    if (text === '' || text === SKIP) {
      if (this.#isRequired) throw new RangeError('An answer is required.');
      return undefined;
    }
    const schema = this.#schema;
    if (schema.type === 'array') return this.#several(text);
    if (this.#choices.length > 0) return this.#chosen(text);
    if (schema.type === 'number' || schema.type === 'integer') return numberIn(text, schema);
    const { minLength, maxLength } = schema as { minLength?: number; maxLength?: number };
    if (text.length < (minLength ?? 0))
      throw new RangeError(`At least ${minLength} characters are required.`);
    if (text.length > (maxLength ?? text.length)) {
      throw new RangeError(`At most ${maxLength} characters are allowed.`);
    }
    return text;
  }

  #chosen(text: string): string | boolean {
    const chosen = this.#choices.find(({ label, value }) => label === text || value === text);
    if (chosen === undefined) throw new RangeError('Choose one of the options.');
    return chosen.value;
  }

  /** Labels may contain commas, so each is matched as a whole. */
  #several(text: string): string[] {
    const values: string[] = [];
    let rest = text;
    while (rest !== '') {
      const chosen = this.#choices.find(({ label }) => rest === label || rest.startsWith(`${label}, `));
      if (chosen === undefined) throw new RangeError('Choose from the options, separated by commas.');
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

function listChoices(schema: FieldSchema): Choice[] {
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
    throw new RangeError(type === 'integer' ? 'Enter a whole number.' : 'Enter a number.');
  }
  if (value < (minimum ?? value)) throw new RangeError(`The minimum is ${minimum}.`);
  if (value > (maximum ?? value)) throw new RangeError(`The maximum is ${maximum}.`);
  return value;
}
