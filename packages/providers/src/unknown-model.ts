/** Thrown if a setting names an impossible model. The user sees its message when the kernel does not start. */
export class UnknownModel extends Error {
  override readonly name = 'UnknownModel';
}
