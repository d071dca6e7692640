/** The errors of paths that tools cannot use. */

/** A mistake in a path. The message tells the model what is wrong and what to do. */
export class PathError extends Error {}

/** A path that tools must not touch, whether or not it exists. */
export class ForbiddenPathError extends PathError {}

/** A file in a secret place, which is read only if the owner allows it (CONSENT-5). */
export class SecretPathError extends ForbiddenPathError {
  /** The real path of the file. */
  readonly path: string;

  constructor(path: string) {
    super(`${path} is a secret place (keys or passwords). Tools read it only if the user allows this.`);
    this.path = path;
  }
}
