/** Merges the forms that an input may have into one object. */
import { isJsonObject, type JoinedSchema, type SchemaReader } from './join-schema.ts';

/**
 * Declares the properties of the forms of an input at the top, where no provider accepts a union: a property that every
 * form constrains or excludes has these constraints, and any other one is free.
 */
export function mergeForms(joined: JoinedSchema, reader: SchemaReader, count: () => void): void {
  for (const key of ['anyOf', 'oneOf']) {
    const list = joined.keywords.get(key);
    if (!Array.isArray(list)) continue;
    const forms = list
      .filter(form => form !== false)
      .map(form => reader.join(isJsonObject(form) ? form : {}, joined.containers));
    const names = new Set(forms.flatMap(form => [...form.properties.keys()]));
    for (const name of names) {
      if (joined.properties.has(name)) continue;
      const schemas: unknown[] = [];
      for (const { properties, keywords } of forms) {
        count();
        const isClosed = keywords.get('additionalProperties') === false && !keywords.has('patternProperties');
        if (properties.has(name)) schemas.push(properties.get(name));
        else if (!isClosed) schemas.push(true);
      }
      joined.properties.set(name, schemas.length === 1 ? schemas[0] : { anyOf: schemas });
    }
    const [first, ...others] = forms;
    for (const name of first?.required ?? [])
      if (others.every(form => form.required.has(name))) joined.required.add(name);
  }
}
