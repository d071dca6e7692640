/**
 * The names of the properties at one place of an input and below: those of the tool, and those on the wire. Both directions
 * follow the schema, so keys of free objects stay as they are.
 */
import { createHash } from 'node:crypto';

/** Characters of a name before its digest; with both, it has at most 64. */
const BEFORE_DIGEST = 55;

/**
 * A name of a property for Anthropic: letters, digits, _, . and -, at most 64. `__proto__` is replaced, because packages
 * refuse JSON with it.
 */
export const plainPropertyName = (name: string): string =>
  name === '__proto__' ? 'proto' : name.replace(/[^\w.-]/gu, '_').slice(0, 64) || '_';

/** A name of a property for Google: letters, digits and _, with no digit at the beginning. */
export const googlePropertyName = (name: string): string =>
  plainPropertyName(name.replace(/[.-]/g, '_').replace(/^(?=\d)/, '_'));

export class PropertyNames {
  readonly #convert: (name: string) => string;
  readonly #wire = new Map<string, string>();
  readonly #original = new Map<string, string>();
  /** By the original name. */
  readonly #properties = new Map<string, PropertyNames>();
  #elements: PropertyNames | undefined;
  #others: PropertyNames | undefined;

  /** @param convert returns a name that the wire accepts; such a name itself stays as it is */
  constructor(convert: (name: string) => string) {
    this.#convert = convert;
  }

  /** Declares names of the tool. Each gets one name on the wire, which no other one has; accepted names have priority. */
  declare(names: Iterable<string>): void {
    const list = [...names];
    for (const name of [...list.filter(one => this.#convert(one) === one), ...list]) {
      if (this.#wire.has(name)) continue;
      let wire = this.#convert(name);
      if (this.#original.has(wire)) {
        const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
        wire = this.#convert(`${wire.slice(0, BEFORE_DIGEST)}_${digest}`);
      }
      this.#wire.set(name, wire);
      this.#original.set(wire, name);
    }
  }

  /** Returns the name on the wire of a declared name. */
  onWire(name: string): string {
    return this.#wire.get(name) ?? name;
  }

  property(name: string): PropertyNames {
    let names = this.#properties.get(name);
    if (!names) {
      names = new PropertyNames(this.#convert);
      this.#properties.set(name, names);
    }
    return names;
  }

  /** The names in the elements of an array. */
  get elements(): PropertyNames {
    this.#elements ??= new PropertyNames(this.#convert);
    return this.#elements;
  }

  /** The names in the values of properties that are not declared. */
  get others(): PropertyNames {
    this.#others ??= new PropertyNames(this.#convert);
    return this.#others;
  }

  /** True if a name here or below is another one on the wire. */
  get differ(): boolean {
    for (const [name, wire] of this.#wire) if (name !== wire) return true;
    for (const names of this.#properties.values()) if (names.differ) return true;
    return Boolean(this.#elements?.differ || this.#others?.differ);
  }

  toWire(input: unknown): unknown {
    return this.#translate(input, 'toWire', this.#wire);
  }

  /** Translates an input that a model wrote. Names that it invented stay. */
  toOriginal(input: unknown): unknown {
    return this.#translate(input, 'toOriginal', this.#original);
  }

  #translate(value: unknown, direction: 'toWire' | 'toOriginal', translations: Map<string, string>): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const elements = this.#elements;
      return elements ? value.map(element => elements[direction](element)) : value;
    }
    const translated = Object.entries(value).map(([key, part]) => {
      const name = translations.get(key) ?? key;
      const below = this.#properties.get(direction === 'toWire' ? key : name) ?? this.#others;
      return [name, below ? below[direction](part) : part];
    });
    return Object.fromEntries(translated);
  }
}
