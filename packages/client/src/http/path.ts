/** Paths of the API, such as `/v1/chats/{id}`. */

/**
 * Returns the path with its parameters filled in.
 * @throws TypeError for a parameter that is missing or not a valid path segment
 */
export const fillPath = (path: string, parameters: Readonly<Record<string, unknown>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new TypeError(`${path} needs ${placeholder}.`);
    const text = String(value);
    // A URL drops these segments, even if they are encoded: the call would reach another resource.
    if (['', '.', '..'].includes(text))
      throw new TypeError(`"${text}" is nothing for ${placeholder} in ${path}.`);
    return encodeURIComponent(text);
  });
