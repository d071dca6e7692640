/** A setting that names a model which cannot be: its sentence is for the owner, who sees it where the kernel does not start. */
export class UnknownModel extends Error {
  override readonly name = 'UnknownModel';
}
